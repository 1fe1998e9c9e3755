/* Logs read back, queries asked of them, and everything that can be done wrongly with both. */
#include <stddef.h>
#include "check.h"
#include "gt_read.h"

typedef struct {
    int best;
    unsigned char moves;
    double odds;
    const char *name;
} Data_t;

static const GTDataDescript descript = {
    "reading", sizeof(Data_t), 2, { { "Lost", -1 }, { "moves:Few", 1 } },
    4, {
        { "best", offsetof(Data_t, best), sizeof(int), GTL_INT },
        { "moves", offsetof(Data_t, moves), 1, GTL_UINT },
        { "odds", offsetof(Data_t, odds), sizeof(double), GTL_FLOAT },
        { "name", offsetof(Data_t, name), sizeof(char *), GTL_TEXT },
    }
};

/* The reader's own words where a check fails. */
#define READS(condition, r) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, gtl_readError(r)); \
            exit(1); \
        } \
    } while (0)
#define DENIED(call, code, words, r) \
    do { \
        READS((call) == (code), r); \
        READS(strstr(gtl_readError(r), (words)) != NULL, r); \
    } while (0)

static Data_t data(int best, const char *name)
{
    Data_t made;

    memset(&made, 0, sizeof made);
    made.best = best;
    made.moves = (unsigned char)(best + 1);
    made.odds = best / 4.0;
    made.name = name;
    return made;
}

/*  Added:  0 root, 1 below 0, 2 below 0, 3 below 1, 4 below 2, 5 below 1
 *  In the log, in preorder:  0, 1, 3, 5, 2, 4  */
static void grow(GTLogHdl h)
{
    static const int parents[] = { GTL_NO_PARENT, 0, 0, 1, 2, 1 };
    Data_t record;
    int i;

    CHECK(gtl_setMeta(h, "depth", "2") == GTL_OK, h);
    for (i = 0; i < 6; i++) {
        record = data(i, i == 3 ? "three" : "other");
        CHECK(gtl_addNode(h, parents[i], 10 + i, i == 5 ? NULL : &record) == i, h);
    }
    REFUSED(gtl_addNode(h, GTL_NO_PARENT, 9, NULL), GTL_ERROR_ORDER, "has its root already", h);
    REFUSED(gtl_addNode(h, 6, 9, NULL), GTL_ERROR_ARGUMENT, "the parent 6 has not been added", h);
    REFUSED(gtl_addNode(h, -2, 9, NULL), GTL_ERROR_ARGUMENT, "GTL_NO_PARENT", h);
    REFUSED(gtl_setNode(h, 6, NULL), GTL_ERROR_ARGUMENT, "no node 6", h);
    REFUSED(gtl_setNode(h, -1, NULL), GTL_ERROR_ARGUMENT, "by the number", h);
    REFUSED(gtl_enterNode(h, 1), GTL_ERROR_ORDER, "gtl_addNode", h);
    REFUSED(gtl_exitNode(h, NULL), GTL_ERROR_ORDER, "gtl_addNode", h);
    CHECK(gtl_isOn(h) == 1 && gtl_flush(h) == GTL_OK, h);
    record = data(40, "later");
    CHECK(gtl_setNode(h, 4, &record) == GTL_OK, h);
    CHECK(gtl_closeTree(h) == GTL_OK, h);
    REFUSED(gtl_setNode(h, 0, NULL), GTL_ERROR_ORDER, "no node was added", h);
}

static void writeLog(void)
{
    GTLogHdl h = gtl_create(&descript, "reading.gtf");
    Data_t record = data(7, "only");

    CHECK(h != NULL, h);
    CHECK(gtl_setLogMeta(h, "engine", "a test") == GTL_OK, h);
    CHECK(gtl_nameMove(h, 11, "left") == GTL_OK, h);
    REFUSED(gtl_nameMove(h, 12, NULL), GTL_ERROR_ARGUMENT, "move 12 needs a name", h);
    grow(h);
    CHECK(gtl_nameMove(h, 12, "right") == GTL_OK && gtl_nameMove(NULL, 1, "x") == GTL_ERROR_ARGUMENT, h);
    /* A tree that is entered and left takes no node that is added, and one with queries neither. */
    CHECK(gtl_enterNode(h, 1) == GTL_OK, h);
    REFUSED(gtl_addNode(h, GTL_NO_PARENT, 0, NULL), GTL_ERROR_ORDER, "entered and left", h);
    CHECK(gtl_exitNode(h, &record) == GTL_OK && gtl_closeTree(h) == GTL_OK, h);
    /* While logging is off, nothing is added and nothing is wrong. */
    CHECK(gtl_setEnabled(h, 0) == GTL_OK && gtl_addNode(h, GTL_NO_PARENT, 0, NULL) == 0, h);
    CHECK(gtl_addNode(h, 77, 0, NULL) == 0 && gtl_setNode(h, 77, NULL) == GTL_OK && gtl_closeTree(h) == GTL_OK, h);
    CHECK(gtl_setEnabled(h, 1) == GTL_OK && gtl_openTree(h, NULL, 0) == GTL_OK, h);
    CHECK(gtl_addNode(h, GTL_NO_PARENT, 3, &record) == 0 && gtl_abandonTree(h) == GTL_OK, h);
    CHECK(gtl_attachQuery(h, "node: best > 0") == GTL_OK, h);
    REFUSED(gtl_addNode(h, GTL_NO_PARENT, 0, NULL), GTL_ERROR_ORDER, "attached queries", h);
    CHECK(gtl_detachQueries(h) == GTL_OK, h);
    CHECK(gtl_delete(h) == GTL_OK, NULL);
    CHECK(gtl_addNode(NULL, 0, 0, NULL) == GTL_ERROR_ARGUMENT && gtl_setNode(NULL, 0, NULL) == GTL_ERROR_ARGUMENT, NULL);
}

static void looks(GTReadHdl r)
{
    int type = 99;
    size_t size = 99;

    READS(strcmp(gtl_readGame(r), "reading") == 0, r);
    READS(strcmp(gtl_readMeta(r, GTL_WHOLE_LOG, "engine"), "a test") == 0, r);
    READS(strcmp(gtl_readMeta(r, 0, "depth"), "2") == 0 && gtl_readMeta(r, 0, "width") == NULL, r);
    READS(gtl_readMeta(r, 44, "depth") == NULL && strstr(gtl_readError(r), "no tree 44") != NULL, r);
    READS(gtl_readMeta(r, -2, "depth") == NULL && gtl_readMeta(r, 0, NULL) == NULL, r);
    READS(gtl_readNodes(r, 0) == 6 && gtl_readNodes(r, 1) == 1, r);
    DENIED(gtl_readNodes(r, 9), GTL_ERROR_ARGUMENT, "there is no tree 9", r);
    READS(gtl_readAttributes(r) == 4 && strcmp(gtl_readAttribute(r, 2, &type, &size), "odds") == 0, r);
    READS(type == GTL_FLOAT && size == 8 && strcmp(gtl_readAttribute(r, 3, NULL, NULL), "name") == 0, r);
    READS(gtl_readAttribute(r, 4, &type, &size) == NULL && gtl_readAttributeIndex(r, "moves") == 1, r);
    DENIED(gtl_readAttributeIndex(r, "bst"), GTL_ERROR_ARGUMENT, "it has best, moves, odds, name", r);
    DENIED(gtl_readAttributeIndex(r, NULL), GTL_ERROR_ARGUMENT, "NULL", r);
}

static void steps(GTReadHdl r)
{
    GTNode node;
    GTValue value;
    uint64_t children[4] = { 99, 99, 99, 99 };
    int64_t line[4] = { 99, 99, 99, 99 };

    READS(gtl_readNode(r, 0, 0, &node) == GTL_OK && node.parent == -1 && node.size == 6 && node.ply == 0, r);
    READS(gtl_readNode(r, 0, 3, &node) == GTL_OK && node.parent == 1 && node.move == 15 && node.ply == 2, r);
    READS(gtl_readNode(r, 0, 5, &node) == GTL_OK && node.parent == 4 && node.move == 14 && node.id == 5, r);
    DENIED(gtl_readNode(r, 0, 6, &node), GTL_ERROR_ARGUMENT, "no node 6", r);
    READS(gtl_readChildren(r, 0, 0, children, 1) == 2 && children[0] == 1 && children[1] == 99, r);
    READS(gtl_readChildren(r, 0, 0, children, 4) == 2 && children[1] == 4 && children[2] == 99, r);
    READS(gtl_readChildren(r, 0, 5, NULL, 0) == 0, r);
    DENIED(gtl_readChildren(r, 0, 0, NULL, 2), GTL_ERROR_ARGUMENT, "given as NULL", r);
    READS(gtl_readLine(r, 0, 2, line, 4) == 2 && line[0] == 11 && line[1] == 13 && line[2] == 99, r);
    READS(gtl_readValue(r, 0, 2, 3, &value) == GTL_OK && value.type == GTL_TEXT && strcmp(value.text, "three") == 0, r);
    READS(gtl_readValue(r, 0, 5, 2, &value) == GTL_OK && value.type == GTL_FLOAT && value.number == 10.0, r);
    READS(gtl_readValue(r, 0, 4, 1, &value) == GTL_OK && value.type == GTL_INT && value.integer == 3, r);
    READS(gtl_readValue(r, 0, 3, 0, &value) == GTL_OK && value.type == GTL_UNKNOWN, r); /* added with NULL */
    DENIED(gtl_readValue(r, 0, 0, 4, &value), GTL_ERROR_ARGUMENT, "no such attribute", r);
    READS(gtl_readNode(r, 0, 0, NULL) == GTL_OK && gtl_readValue(r, 0, 0, 0, NULL) == GTL_OK, r);
}

static void columns(GTReadHdl r)
{
    int64_t integers[8];
    double numbers[8];
    unsigned char known[8];
    static const int64_t parents[] = { -1, 0, 1, 1, 0, 4 }, sizes[] = { 6, 3, 1, 1, 2, 1 };

    memset(integers, 0x55, sizeof integers);
    READS(gtl_readIntegers(r, 0, GTL_COLUMN_PARENT, integers, NULL, 8) == 6, r);
    READS(memcmp(integers, parents, sizeof parents) == 0 && integers[6] == 0x5555555555555555, r);
    READS(gtl_readIntegers(r, 0, GTL_COLUMN_SIZE, integers, known, 8) == 6 && known[5] == 1, r);
    READS(memcmp(integers, sizes, sizeof sizes) == 0, r);
    READS(gtl_readIntegers(r, 0, GTL_COLUMN_MOVE, integers, NULL, 2) == 2 && integers[1] == 11 && integers[2] == 1, r);
    READS(gtl_readIntegers(r, 0, GTL_COLUMN_PLY, integers, NULL, 8) == 6 && integers[5] == 2, r);
    READS(gtl_readIntegers(r, 0, 0, integers, known, 8) == 6 && integers[5] == 40 && known[5] == 1 && known[3] == 0, r);
    READS(gtl_readNumbers(r, 0, 2, numbers, known, 8) == 6 && numbers[1] == 0.25 && numbers[3] != numbers[3], r);
    READS(gtl_readIntegers(r, 0, 2, integers, NULL, 8) == 6 && integers[5] == 10, r);
    DENIED(gtl_readNumbers(r, 0, 3, numbers, NULL, 8), GTL_ERROR_ARGUMENT, "texts", r);
    DENIED(gtl_readNumbers(r, 0, 4, numbers, NULL, 8), GTL_ERROR_ARGUMENT, "no such attribute", r);
    DENIED(gtl_readNumbers(r, 0, -5, numbers, NULL, 8), GTL_ERROR_ARGUMENT, "no such attribute", r);
    DENIED(gtl_readNumbers(r, 0, 0, NULL, NULL, 8), GTL_ERROR_ARGUMENT, "NULL", r);
}

typedef struct {
    int nodes;
    int texts;
    int last; /* stops after so many */
} Seen_t;

static int see(void *user, const GTNode *node, const GTValue *values)
{
    Seen_t *seen = (Seen_t *)user;

    seen->texts += values[3].type == GTL_TEXT && strcmp(values[3].text, "other") == 0;
    if (node->id != (uint64_t)seen->nodes)
        exit(1);
    return ++seen->nodes == seen->last;
}

static void visits(GTReadHdl r)
{
    Seen_t all = { 0, 0, 0 }, some = { 0, 0, 2 };

    READS(gtl_visit(r, 0, see, &all) == GTL_OK && all.nodes == 6 && all.texts == 3, r);
    READS(gtl_visit(r, 0, see, &some) == GTL_OK && some.nodes == 2, r);
    DENIED(gtl_visit(r, 0, NULL, NULL), GTL_ERROR_ARGUMENT, "function", r);
}

static void queries(GTReadHdl r)
{
    static const char text[] =
        "node: best > 1\n\nnode: count(best >= $least)\n\nnode: max(odds)\n\n"
        "node: * select name, best, @line order by best desc limit 2\n\n"
        "node: * group by @ply select @ply, count(*) as nodes";
    static const GTMeta parameters[] = { { "least", "1" } };
    GTAnswerHdl a = gtl_query(r, 0, text, parameters, 1);
    GTValue value;
    uint64_t nodes[4] = { 99, 99, 99, 99 };
    int type;

    READS(a != NULL, r);
    CHECK(gtl_answers(a) == 5 && gtl_answerRows(a, 0) == 3 && gtl_answerColumns(a, 0) == 1, NULL);
    CHECK(gtl_answerNodes(a, 0, nodes, 2) == 3 && nodes[0] == 2 && nodes[1] == 4 && nodes[2] == 99, NULL);
    CHECK(strcmp(gtl_answerColumn(a, 0, 0, &type), "node_id") == 0 && type == GTL_INT, NULL);
    CHECK(gtl_answerCell(a, 0, 2, 0, &value) == GTL_OK && value.integer == 5, NULL);
    CHECK(gtl_answerRows(a, 1) == 1 && gtl_answerCell(a, 1, 0, 0, &value) == GTL_OK && value.integer == 4, NULL);
    CHECK(gtl_answerCell(a, 2, 0, 0, &value) == GTL_OK && value.type == GTL_FLOAT && value.number == 10.0, NULL);
    CHECK(gtl_answerRows(a, 3) == 2 && gtl_answerColumns(a, 3) == 3, NULL);
    CHECK(gtl_answerCell(a, 3, 0, 0, &value) == GTL_OK && strcmp(value.text, "later") == 0, NULL);
    CHECK(gtl_answerCell(a, 3, 0, 2, &value) == GTL_OK && value.type == GTL_LINE && value.integer == 2, NULL);
    CHECK(strcmp(value.text, "12 14") == 0, NULL);
    CHECK(strcmp(gtl_answerColumn(a, 4, 1, NULL), "nodes") == 0, NULL);
    CHECK(gtl_answerRows(a, 4) == 3 && gtl_answerCell(a, 4, 2, 1, &value) == GTL_OK && value.integer == 3, NULL);
    CHECK(gtl_answerNodes(a, 4, nodes, 4) == GTL_ERROR_ARGUMENT && strstr(gtl_answerError(a), "is a table"), NULL);
    CHECK(gtl_answerCell(a, 4, 3, 0, &value) == GTL_ERROR_ARGUMENT && strstr(gtl_answerError(a), "no row 3"), NULL);
    CHECK(gtl_answerCell(a, 4, 0, 2, &value) == GTL_ERROR_ARGUMENT && strstr(gtl_answerError(a), "no column 2"), NULL);
    CHECK(gtl_answerRows(a, 5) == GTL_ERROR_ARGUMENT && gtl_answerColumn(a, 0, 1, NULL) == NULL, NULL);
    CHECK(gtl_answerFree(a) == GTL_OK && gtl_answerFree(a) == GTL_ERROR_ORDER, NULL);
    CHECK(gtl_answers(a) == GTL_ERROR_ORDER && strstr(gtl_answerError(a), "was freed") != NULL, NULL);

    READS(gtl_query(r, 0, "node: bst > 1", NULL, 0) == NULL && strstr(gtl_readError(r), "gtl_query:1:7"), r);
    READS(strstr(gtl_readError(r), "did you mean `best`") != NULL, r);
    READS(gtl_query(r, 0, "node: best > $least", NULL, 0) == NULL && strstr(gtl_readError(r), "least"), r);
    READS(gtl_query(r, 0, NULL, NULL, 0) == NULL && gtl_query(r, 0, "node: *", NULL, 1) == NULL, r);
    READS(gtl_query(r, 8, "node: *", NULL, 0) == NULL && strstr(gtl_readError(r), "no tree 8"), r);
    READS(gtl_query(NULL, 0, "node: *", NULL, 0) == NULL && strstr(gtl_readError(NULL), "needs a reader"), r);
    CHECK(gtl_answers(NULL) == GTL_ERROR_ARGUMENT && gtl_answerFree(NULL) == GTL_ERROR_ARGUMENT, NULL);
}

/* Rows, groups and values of a search that is still going on are known when its tree ends. */
static void attached(void)
{
    static const char text[] =
        "node: * group by @ply select @ply, max(best) as highest\n\nnode: max(best)\n\n"
        "node: best > 0 select best order by best desc\n\nnode: best > 0";
    GTLogHdl h = gtl_create(&descript, NULL);
    Data_t record;
    GTAnswerHdl a;
    GTValue value;
    uint64_t nodes[4] = { 99, 99, 99, 99 };
    int i;

    CHECK(gtl_attachQuery(h, text) == GTL_OK, h);
    CHECK(gtl_queryAnswer(h, 0) == NULL && strstr(gtl_lastError(h), "when the tree has ended") != NULL, h);
    CHECK(gtl_queryAnswer(h, 4) == NULL && strstr(gtl_lastError(h), "no query 4") != NULL, h);
    CHECK(gtl_queryAnswer(NULL, 0) == NULL, h);
    CHECK(gtl_enterNode(h, 0) == GTL_OK, h);
    for (i = 1; i <= 3; i++) {
        record = data(i * (i == 2 ? -1 : 1), NULL);
        CHECK(gtl_enterNode(h, i) == GTL_OK && gtl_exitNode(h, &record) == GTL_OK, h);
    }
    a = gtl_queryAnswer(h, 3);
    CHECK(a != NULL && gtl_answerRows(a, 0) == 2 && gtl_answerFree(a) == GTL_OK, h); /* so far */
    record = data(9, NULL);
    CHECK(gtl_exitNode(h, &record) == GTL_OK && gtl_closeTree(h) == GTL_OK, h);
    a = gtl_queryAnswer(h, 0);
    CHECK(a != NULL && gtl_answerRows(a, 0) == 2 && gtl_answerCell(a, 0, 1, 1, &value) == GTL_OK && value.integer == 3, h);
    CHECK(gtl_answerFree(a) == GTL_OK, h);
    a = gtl_queryAnswer(h, 1);
    CHECK(gtl_answerCell(a, 0, 0, 0, &value) == GTL_OK && value.integer == 9 && gtl_answerFree(a) == GTL_OK, h);
    a = gtl_queryAnswer(h, 2);
    CHECK(gtl_answerColumns(a, 0) == 1 && gtl_answerCell(a, 0, 1, 0, &value) == GTL_OK && value.integer == 3, h);
    CHECK(gtl_answerFree(a) == GTL_OK, h);
    CHECK(gtl_queryCount(h, 2) == 3 && gtl_queryMatches(h, 2, nodes, 4) == 3 && nodes[0] == 0 && nodes[1] == 3, h);
    CHECK(gtl_queryCount(h, 0) == 4 && gtl_delete(h) == GTL_OK, h);
}

int main(void)
{
    GTReadHdl r;

    writeLog();
    READS(gtl_readOpen(NULL) == NULL && strstr(gtl_readError(NULL), "NULL") != NULL, NULL);
    READS(gtl_readOpen("missing.gtf") == NULL && strstr(gtl_readError(NULL), "missing.gtf") != NULL, NULL);
    READS(gtl_readTrees(NULL) == GTL_ERROR_ARGUMENT && gtl_readGame(NULL) == NULL, NULL);
    r = gtl_readOpen("reading.gtf");
    READS(r != NULL, NULL);
    looks(r);
    steps(r);
    columns(r);
    visits(r);
    queries(r);
    attached();
    READS(gtl_readClose(r) == GTL_OK, r);
    DENIED(gtl_readClose(r), GTL_ERROR_ORDER, "was closed", r);
    DENIED(gtl_readTrees(r), GTL_ERROR_ORDER, "was closed", r);
    READS(gtl_query(r, 0, "node: *", NULL, 0) == NULL && gtl_readClose(NULL) == GTL_ERROR_ARGUMENT, r);
    return 0;
}
