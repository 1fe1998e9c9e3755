/* Everything that can be called wrongly, called wrongly. The program must come to its end. */
#include <stddef.h>
#include "check.h"

typedef struct {
    int best;
    double score;
    const char *name;
} Data_t;

static GTDataDescript good(void)
{
    GTDataDescript d;

    memset(&d, 0, sizeof d);
    d.game = "abuse";
    d.recordSize = sizeof(Data_t);
    d.attributeCount = 3;
    d.attributes[0].name = "best";
    d.attributes[0].offset = offsetof(Data_t, best);
    d.attributes[0].size = sizeof(int);
    d.attributes[1].name = "score";
    d.attributes[1].offset = offsetof(Data_t, score);
    d.attributes[1].size = sizeof(double);
    d.attributes[1].type = GTL_FLOAT;
    d.attributes[2].name = "name";
    d.attributes[2].offset = offsetof(Data_t, name);
    d.attributes[2].size = sizeof(char *);
    d.attributes[2].type = GTL_TEXT;
    return d;
}

static void nullHandles(void)
{
    Data_t data = { 0, 0, NULL };

    CHECK(strcmp(gtl_lastError(NULL), "") == 0, NULL);
    CHECK(gtl_enterNode(NULL, 1) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_exitNode(NULL, &data) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_exitNode(NULL, NULL) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_open(NULL, "x") == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_close(NULL) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_openTree(NULL, NULL, 3) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_closeTree(NULL) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_abandonTree(NULL) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_setMeta(NULL, "a", "b") == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_setMetaInt(NULL, "a", 1) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_setLogMeta(NULL, NULL, NULL) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_flush(NULL) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_setEnabled(NULL, 1) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_isOn(NULL) == 0, NULL);
    CHECK(gtl_setFlush(NULL, 1, 1) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_setBudget(NULL, 1, 1) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_setTriggerLine(NULL, NULL, 1, 0) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_setTriggerCallback(NULL, NULL, NULL, 0) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_clearTrigger(NULL) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_attachQuery(NULL, NULL) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_detachQueries(NULL) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_queryCount(NULL, 0) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_queryMatches(NULL, 0, NULL, 1) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_setQueryCallback(NULL, NULL, NULL) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_setQueryLimit(NULL, 0) == GTL_ERROR_ARGUMENT, NULL);
    CHECK(gtl_delete(NULL) == GTL_ERROR_ARGUMENT, NULL);
}

/* The descriptor is refused, for a reason that names the fault. */
static void refused(const GTDataDescript *d, const char *words)
{
    CHECK(gtl_create(d, "never.gtf") == NULL, NULL);
    if (strstr(gtl_lastError(NULL), words) == NULL) {
        fprintf(stderr, "expected `%s` in: %s\n", words, gtl_lastError(NULL));
        exit(1);
    }
}

static void badDescriptors(void)
{
    GTDataDescript d = good();

    refused(NULL, "NULL");
    d.recordSize = 0;
    refused(&d, "`best` (offset 0, size 4) reaches beyond the record of 0 bytes");
    d = good();
    d.attributes[1].offset = sizeof(Data_t) - 7;
    refused(&d, "`score`");
    d.attributes[1].offset = (size_t)-4;
    refused(&d, "`score`");
    d = good();
    d.attributes[0].size = 3;
    refused(&d, "`best` has a size of 3 bytes");
    d.attributes[0].size = 0;
    refused(&d, "a size of 0 bytes");
    d = good();
    d.attributes[1].size = 16;
    refused(&d, "`score` has a size of 16 bytes");
    d = good();
    d.attributes[2].size = 1;
    refused(&d, "a text is a `const char *`");
    d = good();
    d.attributes[0].type = 99;
    refused(&d, "unknown type 99");
    d.attributes[0].type = -1;
    refused(&d, "unknown type -1");
    d = good();
    d.attributes[1].name = NULL;
    refused(&d, "attribute 1 of the descriptor has no name");
    d.attributes[1].name = "";
    refused(&d, "`` cannot name");
    d.attributes[1].name = "two words";
    refused(&d, "`two words` cannot name");
    d.attributes[1].name = "\xff\xfe";
    refused(&d, "cannot name");
    d.attributes[1].name = "best";
    refused(&d, "`best` names two things");
    d.attributes[1].name = "last_move";
    refused(&d, "`last_move` is a word");
    d = good();
    d.attributeCount = 4;
    refused(&d, "attribute 3 of the descriptor has no name");
    d.attributeCount = 257;
    refused(&d, "257 attributes");
    d.attributeCount = (size_t)-1;
    refused(&d, "attributes");
    d = good();
    d.aliasCount = 1;
    refused(&d, "alias 0 of the descriptor has no name");
    d.aliasCount = 257;
    refused(&d, "257 aliases");
    d = good();
    CHECK(gtl_create(&d, "no/such/folder/x.gtf") == NULL, NULL);
    CHECK(strstr(gtl_lastError(NULL), "no/such/folder/x.gtf") != NULL, NULL);
    CHECK(gtl_create(&d, "") == NULL, NULL);
}

static int never(const int64_t *line, size_t count, void *context)
{
    (void)line; (void)count;
    /* A callback has no business with its handle; it is told so. */
    REFUSED(gtl_enterNode((GTLogHdl)context, 1), GTL_ERROR_ORDER, "callback", (GTLogHdl)context);
    CHECK(gtl_delete((GTLogHdl)context) == GTL_ERROR_ORDER, NULL);
    return 0;
}

static void wrongOrder(void)
{
    GTDataDescript d = good();
    Data_t data = { 7, 0.5, "x" };
    GTLogHdl h = gtl_create(&d, NULL), twin;
    GTMeta bad = { NULL, "value" };
    static char text[70000];

    CHECK(h != NULL, NULL);
    REFUSED(gtl_enterNode(h, 0), GTL_ERROR_ORDER, "no file is open", h);
    REFUSED(gtl_exitNode(h, &data), GTL_ERROR_ORDER, "no tree is open", h);
    REFUSED(gtl_openTree(h, NULL, 0), GTL_ERROR_ORDER, "no file is open", h);
    REFUSED(gtl_closeTree(h), GTL_ERROR_ORDER, "no tree is open", h);
    REFUSED(gtl_open(h, NULL), GTL_ERROR_ARGUMENT, "NULL", h);
    CHECK(gtl_close(h) == GTL_OK && gtl_close(h) == GTL_OK && gtl_flush(h) == GTL_OK, h);
    CHECK(gtl_isOn(h) == 0, h);
    REFUSED(gtl_open(h, "no/such/folder/y.gtf"), GTL_ERROR_WRITE, "no/such/folder/y.gtf", h);
    CHECK(gtl_enterNode(h, 0) == GTL_ERROR_WRITE && gtl_exitNode(h, &data) == GTL_ERROR_WRITE, h);
    CHECK(strstr(gtl_lastError(h), "no/such/folder/y.gtf") != NULL, h); /* the cause stays */

    CHECK(gtl_open(h, "order.gtf") == GTL_OK && gtl_isOn(h) == 1, h);
    twin = gtl_create(&d, "order.gtf");
    CHECK(twin == NULL && strstr(gtl_lastError(NULL), "being written") != NULL, NULL);
    REFUSED(gtl_openTree(h, NULL, 1), GTL_ERROR_ARGUMENT, "NULL", h);
    REFUSED(gtl_openTree(h, &bad, 1), GTL_ERROR_ARGUMENT, "needs a name", h);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h);
    REFUSED(gtl_exitNode(h, &data), GTL_ERROR_ORDER, "never entered", h);
    CHECK(gtl_enterNode(h, 10) == GTL_OK && gtl_enterNode(h, 11) == GTL_OK, h);
    memset(text, 'a', sizeof text - 1);
    data.name = text;
    REFUSED(gtl_exitNode(h, &data), GTL_ERROR_ARGUMENT, "69999 bytes", h); /* left all the same, unfinished */
    data.name = NULL;
    CHECK(gtl_exitNode(h, &data) == GTL_OK, h);
    REFUSED(gtl_exitNode(h, &data), GTL_ERROR_ORDER, "never entered", h);
    REFUSED(gtl_enterNode(h, 12), GTL_ERROR_ORDER, "second root", h);
    REFUSED(gtl_setLogMeta(h, "too", "late"), GTL_ERROR_ORDER, "before the first tree", h);
    REFUSED(gtl_setMeta(h, NULL, "x"), GTL_ERROR_ARGUMENT, "needs a name", h);
    REFUSED(gtl_setMeta(h, "x", text), GTL_ERROR_ARGUMENT, "69999 bytes", h);
    REFUSED(gtl_setTriggerLine(h, NULL, 2, 0), GTL_ERROR_ARGUMENT, "NULL", h);
    REFUSED(gtl_setTriggerCallback(h, NULL, NULL, 0), GTL_ERROR_ARGUMENT, "function", h);
    CHECK(gtl_setFlush(h, UINT64_MAX, UINT64_MAX) == GTL_OK && gtl_setBudget(h, UINT64_MAX, UINT64_MAX) == GTL_OK, h);

    CHECK(gtl_setTriggerCallback(h, never, h, 0) == GTL_OK && gtl_openTree(h, NULL, 0) == GTL_OK, h);
    CHECK(gtl_enterNode(h, 20) == GTL_OK && gtl_enterNode(h, 21) == GTL_OK && gtl_exitNode(h, NULL) == GTL_OK, h);
    CHECK(gtl_clearTrigger(h) == GTL_OK, h);
    REFUSED(gtl_openTree(h, NULL, 0), GTL_ERROR_ORDER, "still open", h); /* begun all the same */
    CHECK(gtl_enterNode(h, 30) == GTL_OK && gtl_enterNode(h, 31) == GTL_OK, h);
    REFUSED(gtl_close(h), GTL_ERROR_ORDER, "2 nodes still open", h);
    CHECK(gtl_close(h) == GTL_OK, h);
    REFUSED(gtl_enterNode(h, 0), GTL_ERROR_ORDER, "no file is open", h);
    CHECK(gtl_delete(h) == GTL_OK, NULL);
}

int main(void)
{
    nullHandles();
    badDescriptors();
    wrongOrder();
    CHECK(strcmp(gtl_version(), GTL_VERSION) == 0, NULL);
    return 0;
}
