/* Records that describe themselves, and nodes that are entered with what is known. */
#include <stdbool.h>
#include <stddef.h>
#include "check.h"

typedef enum { Low, High } Height;

typedef struct {
    short depth;
    int alpha;
    unsigned char type;
    unsigned long nodes;
    float share;
    double value;
    bool hit;
    const char *name;
    Height height;
    long long key;
} Data_t;

static const GTDataDescript descript =
  { "fields", sizeof(Data_t), 0, { { NULL, 0 } }, 10,
    { GTL_FIELD_AT_ENTRY(Data_t, depth), GTL_FIELD_AT_ENTRY(Data_t, alpha), GTL_FIELD(Data_t, type),
      GTL_FIELD(Data_t, nodes), GTL_FIELD(Data_t, share), GTL_FIELD(Data_t, value), GTL_FIELD(Data_t, hit),
      GTL_FIELD_AT_ENTRY(Data_t, name), GTL_FIELD(Data_t, height), GTL_FIELD_AS(Data_t, key, "hash_key") } };

int main(void)
{
    Data_t data = { 3, -5, 200, 4000000000ul, 0.5f, 0.25, true, "start", High, -1 };
    GTLogHdl h = gtl_create(&descript, "fields.gtf");

    CHECK(h != NULL, NULL);
    CHECK(gtl_attachQuery(h, "node: alpha = -7\n\nnode: not (value > 0)\n\nnode: name = \"late\"") == GTL_OK, h);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h);
    CHECK(gtl_enterNodeData(h, 0, &data) == GTL_OK, h);
    data.alpha = -7;
    data.name = "late";
    CHECK(gtl_enterNodeData(h, 1, &data) == GTL_OK, h);   /* left without a record */
    CHECK(gtl_exitNode(h, NULL) == GTL_OK, h);
    CHECK(gtl_enterNodeData(h, 2, &data) == GTL_OK, h);   /* left with another */
    data.alpha = 9;
    CHECK(gtl_exitNode(h, &data) == GTL_OK, h);
    CHECK(gtl_enterNodeData(h, 3, NULL) == GTL_OK, h);    /* entered with nothing */
    CHECK(gtl_exitNode(h, NULL) == GTL_OK, h);
    data.alpha = -7;
    CHECK(gtl_enterNodeData(h, 4, &data) == GTL_OK, h);   /* never left, and nor is the root */
    CHECK(gtl_abandonTree(h) == GTL_OK, h);
    CHECK(gtl_queryCount(h, 0) == 2, h);
    CHECK(gtl_queryCount(h, 1) == 0, h);
    CHECK(gtl_queryCount(h, 2) == 3, h);
    CHECK(gtl_delete(h) == GTL_OK, NULL);
    return 0;
}
