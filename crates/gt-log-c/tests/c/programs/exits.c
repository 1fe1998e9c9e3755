/* An engine that ends without closing its log, right after a tree that is encoded in the background. */
#include <stddef.h>
#include "check.h"

typedef struct Node {
    int32_t best;
} Node;

int main(void)
{
    static GTDataDescript descript = { "test", sizeof(Node), 0, { { 0, 0 } }, 1, { { "best", offsetof(Node, best), 4, GTL_INT } } };
    GTLogHdl h = gtl_create(&descript, "exits.gtf");
    int tree, i;

    CHECK(h != NULL && gtl_setBackground(h, 1) == GTL_OK, h);
    for (tree = 0; tree < 3; tree++) {
        CHECK(gtl_enterNode(h, 0) == GTL_OK, h);
        for (i = 0; i < 30000; i++) {
            Node node = { i };
            CHECK(gtl_enterNode(h, i) == GTL_OK && gtl_exitNode(h, &node) == GTL_OK, h);
        }
        CHECK(gtl_exitNode(h, &tree) == GTL_OK && gtl_closeTree(h) == GTL_OK, h);
        if (tree == 1)
            CHECK(gtl_flush(h) == GTL_OK, h);
    }
    return 0;
}
