/* Everything that can be done wrongly with queries, done wrongly. The program must come to its end. */
#include <stddef.h>
#include "check.h"

typedef struct {
    int64_t best;
    const char *name;
} Data_t;

static const GTDataDescript descript = {
    "queries", sizeof(Data_t), 1, { { "Largest", INT64_MAX } },
    2, {
        { "best", offsetof(Data_t, best), sizeof(int64_t), GTL_INT },
        { "name", offsetof(Data_t, name), sizeof(char *), GTL_TEXT },
    }
};

static int enter(GTLogHdl h, int64_t move) { return gtl_enterNode(h, move); }

static int leave(GTLogHdl h, int64_t best)
{
    Data_t data;

    data.best = best;
    data.name = NULL;
    return gtl_exitNode(h, &data);
}

/* A root with the value 3 and two children with 1 and 2. */
static void three(GTLogHdl h)
{
    CHECK(enter(h, 0) == GTL_OK, h);
    CHECK(enter(h, 1) == GTL_OK && leave(h, 1) == GTL_OK, h);
    CHECK(enter(h, 2) == GTL_OK && leave(h, 2) == GTL_OK, h);
    CHECK(leave(h, 3) == GTL_OK, h);
}

static void badTexts(GTLogHdl h)
{
    static const char two[] = "node: bst > 0\n\nnode: best >";

    REFUSED(gtl_attachQuery(h, NULL), GTL_ERROR_ARGUMENT, "NULL", h);
    REFUSED(gtl_attachQuery(h, ""), GTL_ERROR_QUERY, "holds no query", h);
    REFUSED(gtl_attachQuery(h, "# nothing\n"), GTL_ERROR_QUERY, "holds no query", h);
    REFUSED(gtl_attachQuery(h, two), GTL_ERROR_QUERY, "--> gtl_attachQuery:1:7", h);
    CHECK(strstr(gtl_lastError(h), "1 | node: bst > 0\n   |       ^^^ did you mean `best`?") != NULL, h);
    CHECK(strstr(gtl_lastError(h), "gtl_attachQuery:3:") != NULL, h); /* all errors at once */
    REFUSED(gtl_attachQuery(h, "node: best > $missing"), GTL_ERROR_QUERY, "missing", h);
    REFUSED(gtl_attachQuery(h, "twin(best): count(*) > 0"), GTL_ERROR_QUERY, "the whole tree would have to be held", h);
    REFUSED(gtl_attachQuery(h, "node: best = \"text\""), GTL_ERROR_QUERY, "gtl_attachQuery:1:", h);
    REFUSED(gtl_attachQuery(h, "node: \xff\xfe"), GTL_ERROR_QUERY, "gtl_attachQuery:1:7", h);
    REFUSED(gtl_queryCount(h, 0), GTL_ERROR_ARGUMENT, "there is no query 0: 0 are attached", h);
    CHECK(gtl_isOn(h) == 0, h);
    REFUSED(enter(h, 0), GTL_ERROR_ORDER, "no file is open", h);
}

static void wrongNesting(GTLogHdl h)
{
    uint64_t nodes[4] = { 9, 9, 9, 9 };

    CHECK(gtl_attachQuery(h, "node: best > 1") == GTL_OK && gtl_attachQuery(h, "node: count(*)") == GTL_OK, h);
    CHECK(gtl_queryCount(h, 0) == 0 && gtl_queryMatches(h, 0, NULL, 0) == 0, h); /* no tree yet */
    REFUSED(gtl_queryCount(h, 2), GTL_ERROR_ARGUMENT, "there is no query 2: 2 are attached", h);
    REFUSED(gtl_queryCount(h, (size_t)-1), GTL_ERROR_ARGUMENT, "there is no query", h);
    REFUSED(leave(h, 1), GTL_ERROR_ORDER, "no tree is open", h);
    REFUSED(gtl_closeTree(h), GTL_ERROR_ORDER, "no tree is open", h);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h);
    REFUSED(leave(h, 1), GTL_ERROR_ORDER, "never entered", h);
    three(h);
    REFUSED(leave(h, 9), GTL_ERROR_ORDER, "never entered", h);
    REFUSED(enter(h, 9), GTL_ERROR_ORDER, "second root", h);
    CHECK(gtl_queryMatches(h, 0, nodes, 4) == 2 && nodes[0] == 2 && nodes[1] == 0 && nodes[2] == 9, h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 2 && gtl_queryCount(h, 1) == 3, h);
    CHECK(gtl_queryMatches(h, 0, nodes, 1) == 2 && nodes[0] == 0 && nodes[1] == 0, h);
    REFUSED(gtl_queryMatches(h, 0, NULL, 1), GTL_ERROR_ARGUMENT, "NULL", h);
    CHECK(gtl_queryMatches(h, 1, nodes, 4) == 0, h); /* only counts */

    CHECK(enter(h, 0) == GTL_OK && enter(h, 1) == GTL_OK, h); /* begins a tree by itself */
    CHECK(gtl_queryCount(h, 0) == 0 && leave(h, 5) == GTL_OK && gtl_queryCount(h, 0) == 1, h);
    CHECK(enter(h, 2) == GTL_OK, h);
    REFUSED(gtl_closeTree(h), GTL_ERROR_ORDER, "2 nodes still open", h);
    CHECK(gtl_queryCount(h, 0) == 1 && gtl_queryCount(h, 1) == 3, h); /* the open ones are unfinished */
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK && gtl_queryCount(h, 1) == 0, h);
    CHECK(enter(h, 0) == GTL_OK && gtl_abandonTree(h) == GTL_OK && gtl_queryCount(h, 1) == 1, h);
}

/* A text that is too long leaves its node unfinished. */
static void wrongRecord(GTLogHdl h)
{
    static char text[70000];
    Data_t data;

    memset(text, 'a', sizeof text - 1);
    data.best = 5;
    data.name = text;
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK && enter(h, 0) == GTL_OK, h);
    REFUSED(gtl_exitNode(h, &data), GTL_ERROR_ARGUMENT, "69999 bytes", h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 0 && gtl_queryCount(h, 1) == 1, h);
    CHECK(gtl_detachQueries(h) == GTL_OK && gtl_isOn(h) == 0, h);
    REFUSED(enter(h, 0), GTL_ERROR_ORDER, "no file is open", h);
}

static void nested(void *user, size_t query, uint64_t nodeId)
{
    GTLogHdl h = *(GTLogHdl *)user;

    (void)nodeId;
    /* A callback has no business with its handle; it is told so. */
    REFUSED(gtl_enterNode(h, 1), GTL_ERROR_ORDER, "callback", h);
    REFUSED(gtl_queryCount(h, query), GTL_ERROR_ORDER, "callback", h);
    REFUSED(gtl_detachQueries(h), GTL_ERROR_ORDER, "callback", h);
    CHECK(gtl_delete(h) == GTL_ERROR_ORDER, NULL);
}

static void withLog(GTLogHdl h)
{
    CHECK(gtl_open(h, "queries.gtf") == GTL_OK && gtl_openTree(h, NULL, 0) == GTL_OK, h);
    CHECK(enter(h, 0) == GTL_OK, h);
    CHECK(gtl_attachQuery(h, "node: best > 1") == GTL_OK, h); /* from the next tree on */
    CHECK(enter(h, 1) == GTL_OK && leave(h, 7) == GTL_OK && enter(h, 2) == GTL_OK && leave(h, 7) == GTL_OK, h);
    CHECK(leave(h, 7) == GTL_OK && gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 0, h);

    CHECK(gtl_setQueryCallback(h, nested, &h) == GTL_OK, h);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK && enter(h, 0) == GTL_OK && enter(h, 1) == GTL_OK, h);
    CHECK(enter(h, 2) == GTL_OK && leave(h, 4) == GTL_OK && leave(h, 4) == GTL_OK && enter(h, 3) == GTL_OK, h);
    CHECK(gtl_setQueryCallback(h, NULL, NULL) == GTL_OK, h);
    REFUSED(gtl_openTree(h, NULL, 0), GTL_ERROR_ORDER, "still open", h); /* begun all the same */
    CHECK(gtl_queryCount(h, 0) == 0, h);
    three(h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 2, h);

    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h);
    REFUSED(leave(h, 1), GTL_ERROR_ORDER, "never entered", h);
    three(h);
    REFUSED(enter(h, 1), GTL_ERROR_ORDER, "second root", h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 2, h);

    /* What is left out of the log is asked all the same. */
    CHECK(gtl_setBudget(h, 2, 0) == GTL_OK && gtl_openTree(h, NULL, 0) == GTL_OK, h);
    three(h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 2, h);
    CHECK(gtl_setEnabled(h, 0) == GTL_OK && gtl_isOn(h) == 1 && gtl_openTree(h, NULL, 0) == GTL_OK, h);
    three(h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 2, h);
    CHECK(gtl_setEnabled(h, 1) == GTL_OK && gtl_setBudget(h, 0, 0) == GTL_OK, h);

    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK && enter(h, 0) == GTL_OK, h);
    CHECK(gtl_detachQueries(h) == GTL_OK && leave(h, 5) == GTL_OK, h); /* the log goes on */
    REFUSED(gtl_queryCount(h, 0), GTL_ERROR_ARGUMENT, "0 are attached", h);
    CHECK(gtl_close(h) == GTL_OK, h);
}

static void runTime(GTLogHdl h)
{
    CHECK(gtl_attachQuery(h, "node: best > 0\n\n[product]\nnode: best * Largest > 0\n\nnode: best + Largest > 0") == GTL_OK, h);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h);
    three(h);
    REFUSED(gtl_closeTree(h), GTL_ERROR_QUERY, "query product: a result is outside the 64-bit integers", h);
    CHECK(strstr(gtl_lastError(h), "4 | node: best * Largest > 0\n   |       ^^^^^^^^^^^^^^") != NULL, h);
    CHECK(gtl_queryCount(h, 0) == 3, h); /* the others have their answers */
    REFUSED(gtl_queryCount(h, 2), GTL_ERROR_QUERY, "query 2: a result", h);
    REFUSED(gtl_queryMatches(h, 1, NULL, 0), GTL_ERROR_QUERY, "query product", h);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK && enter(h, 0) == GTL_OK && leave(h, -1) == GTL_OK, h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 1) == 0 && gtl_queryCount(h, 2) == 1, h);
    CHECK(gtl_detachQueries(h) == GTL_OK, h);

    /* A limit to what is held: told once, the other queries and the next tree go on. */
    CHECK(gtl_attachQuery(h, "path: count(best = 3) = 1") == GTL_OK && gtl_attachQuery(h, "node: best > 0") == GTL_OK, h);
    CHECK(gtl_setQueryLimit(h, 2) == GTL_OK && gtl_openTree(h, NULL, 0) == GTL_OK, h);
    CHECK(enter(h, 0) == GTL_OK && enter(h, 1) == GTL_OK && leave(h, 1) == GTL_OK, h);
    REFUSED(enter(h, 2), GTL_ERROR_LIMIT, "more than 2 nodes", h);
    CHECK(leave(h, 2) == GTL_OK && leave(h, 3) == GTL_OK && gtl_closeTree(h) == GTL_OK, h);
    REFUSED(gtl_queryCount(h, 0), GTL_ERROR_LIMIT, "gtl_setQueryLimit", h);
    CHECK(gtl_queryCount(h, 1) == 3, h);
    CHECK(gtl_setQueryLimit(h, 0) == GTL_OK && gtl_openTree(h, NULL, 0) == GTL_OK, h);
    three(h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 2 && gtl_queryCount(h, 1) == 3, h);
    CHECK(gtl_detachQueries(h) == GTL_OK, h);
}

static void parameters(GTLogHdl h)
{
    GTMeta two = { "floor", "2" }, text = { "floor", "two" };

    CHECK(gtl_setLogMeta(h, "ceiling", "3") == GTL_OK && gtl_setMetaInt(h, "floor", 1) == GTL_OK, h);
    CHECK(gtl_attachQuery(h, "node: best > $floor and best < $ceiling") == GTL_OK, h);
    three(h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 1, h);
    CHECK(gtl_openTree(h, &two, 1) == GTL_OK, h);
    three(h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 0, h);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h); /* says nothing: as when it was attached */
    three(h);
    CHECK(gtl_closeTree(h) == GTL_OK && gtl_queryCount(h, 0) == 1, h);
    REFUSED(gtl_openTree(h, &text, 1), GTL_ERROR_QUERY, "gtl_attachQuery:1:", h); /* begun all the same */
    three(h);
    CHECK(gtl_closeTree(h) == GTL_OK, h);
    REFUSED(gtl_queryCount(h, 0), GTL_ERROR_QUERY, "gtl_attachQuery:1:", h);
    CHECK(gtl_openTree(h, &two, 1) == GTL_OK && gtl_queryCount(h, 0) == 0, h);

    /* A log that cannot be made is an error, and the queries go on. */
    REFUSED(gtl_open(h, "no/such/folder/x.gtf"), GTL_ERROR_WRITE, "no/such/folder", h);
    CHECK(enter(h, 0) == GTL_ERROR_WRITE && leave(h, 2) == GTL_ERROR_WRITE && gtl_queryCount(h, 0) == 1, h);
    CHECK(gtl_closeTree(h) == GTL_ERROR_WRITE && gtl_queryCount(h, 0) == 1, h);
    CHECK(gtl_openTree(h, &two, 1) == GTL_ERROR_WRITE && gtl_queryCount(h, 0) == 0, h);
    CHECK(enter(h, 0) == GTL_ERROR_WRITE && leave(h, 2) == GTL_ERROR_WRITE && gtl_queryCount(h, 0) == 0, h);
}

int main(void)
{
    GTLogHdl h = gtl_create(&descript, NULL);

    CHECK(h != NULL, NULL);
    badTexts(h);
    wrongNesting(h);
    wrongRecord(h);
    withLog(h);
    runTime(h);
    parameters(h);
    CHECK(gtl_delete(h) == GTL_ERROR_WRITE, NULL);
    return 0;
}
