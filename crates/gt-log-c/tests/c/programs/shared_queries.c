/* A handle that gtl_share makes has no queries of the other, and calls none of its callbacks. */
#include "check.h"

static const GTDataDescript descript =
  { "shared", sizeof(int), 0, { { NULL, 0 } }, 1, { { "best", 0, sizeof(int), GTL_INT } } };

static void count(void *user, size_t query, uint64_t node)
{
    (void)query;
    (void)node;
    ++*(int *)user;
}

static void search(GTLogHdl h, int nodes)
{
    int best = nodes;

    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK && gtl_enterNode(h, 0) == GTL_OK, h);
    while (--nodes > 0) {
        CHECK(gtl_enterNode(h, nodes) == GTL_OK, h);
        CHECK(gtl_exitNode(h, &nodes) == GTL_OK, h);
    }
    CHECK(gtl_exitNode(h, &best) == GTL_OK && gtl_closeTree(h) == GTL_OK, h);
}

int main(void)
{
    int told = 0, told_shared = 0;
    GTLogHdl h = gtl_create(&descript, "shared.gtf"), shared;

    CHECK(h != NULL, NULL);
    CHECK(gtl_attachQuery(h, "node: best > 0") == GTL_OK, h);
    CHECK(gtl_setQueryCallback(h, count, &told) == GTL_OK, h);
    CHECK((shared = gtl_share(h)) != NULL, NULL);

    search(shared, 7);
    CHECK(told == 0, shared);
    CHECK(gtl_queryCount(shared, 0) < 0, shared);

    /* Queries of its own, and still nobody to call. */
    CHECK(gtl_attachQuery(shared, "node: best > 3") == GTL_OK, shared);
    search(shared, 7);
    CHECK(told == 0 && gtl_queryCount(shared, 0) == 4, shared);

    CHECK(gtl_setQueryCallback(shared, count, &told_shared) == GTL_OK, shared);
    search(shared, 7);
    CHECK(told == 0 && told_shared == 4, shared);

    search(h, 5);
    CHECK(told == 5 && told_shared == 4 && gtl_queryCount(h, 0) == 5, h);
    CHECK(gtl_delete(shared) == GTL_OK && gtl_delete(h) == GTL_OK, NULL);
    return 0;
}
