/* Switch, trigger, budget, metadata: one tree for each, all the same binary tree of depth 4. */
#include <stddef.h>
#include "check.h"

static const GTDataDescript descript =
  { "settings", sizeof(int), 0, { { NULL, 0 } }, 1, { { "depth", 0, sizeof(int), GTL_INT } } };

static void search(GTLogHdl h, int depth, int move)
{
    CHECK(gtl_enterNode(h, move) == GTL_OK, h);
    if (depth > 0) {
        search(h, depth - 1, 1);
        search(h, depth - 1, 2);
    }
    CHECK(gtl_exitNode(h, &depth) == GTL_OK, h);
}

static void tree(GTLogHdl h, const char *name)
{
    GTMeta meta[2] = { { "name", NULL }, { "empty", NULL } };

    meta[0].value = name;
    CHECK(gtl_openTree(h, meta, 2) == GTL_OK, h);
    search(h, 4, 0);
    CHECK(gtl_setMetaInt(h, "value", -42) == GTL_OK, h);
    CHECK(gtl_closeTree(h) == GTL_OK, h);
}

static int isTwice(const int64_t *line, size_t count, void *context)
{
    ++*(int *)context;
    return count >= 2 && line[count - 1] == 2 && line[count - 2] == 2;
}

int main(void)
{
    static const int64_t line[2] = { 2, 1 };
    int calls = 0;
    GTLogHdl h = gtl_create(&descript, "settings.gtf");

    CHECK(h != NULL, NULL);
    CHECK(gtl_setLogMeta(h, "engine", "first") == GTL_OK && gtl_setLogMeta(h, "engine", "settings") == GTL_OK, h);
    tree(h, "all");
    CHECK(gtl_setEnabled(h, 0) == GTL_OK && gtl_isOn(h) == 0, h);
    tree(h, "off");
    CHECK(gtl_setEnabled(h, 1) == GTL_OK && gtl_isOn(h) == 1, h);
    CHECK(gtl_setTriggerLine(h, line, 2, 0) == GTL_OK, h);
    tree(h, "line");
    CHECK(gtl_setTriggerCallback(h, isTwice, &calls, 0) == GTL_OK, h);
    tree(h, "callback");
    CHECK(calls > 0, h);
    CHECK(gtl_setTriggerCallback(h, isTwice, &calls, 1) == GTL_OK, h);
    tree(h, "once");
    CHECK(gtl_clearTrigger(h) == GTL_OK && gtl_setBudget(h, 10, 0) == GTL_OK, h);
    tree(h, "nodes");
    CHECK(gtl_setBudget(h, 0, 1) == GTL_OK && gtl_setFlush(h, 1, 0) == GTL_OK, h);
    tree(h, "bytes");
    CHECK(gtl_setBudget(h, 0, 0) == GTL_OK, h);
    CHECK(gtl_setMeta(h, "note", "said before") == GTL_OK, h);
    search(h, 4, 0); /* begins a tree by itself */
    CHECK(gtl_enterNode(h, 9) == GTL_ERROR_ORDER, h);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK && gtl_enterNode(h, 1) == GTL_OK, h);
    CHECK(gtl_abandonTree(h) == GTL_OK, h);

    /* Named while off: made only when it is needed. */
    CHECK(gtl_setEnabled(h, 0) == GTL_OK && gtl_open(h, "unused.gtf") == GTL_OK, h);
    tree(h, "off");
    CHECK(gtl_open(h, "late.gtf") == GTL_OK && gtl_setEnabled(h, 1) == GTL_OK, h);
    tree(h, "late");
    CHECK(gtl_delete(h) == GTL_OK, NULL);
    return 0;
}
