/*
 * live QUERIES [FILE]: searches two made-up trees with the queries attached, logged if there is a file.
 *
 * Says what it was told: `told QUERY NODE` for each match as it comes, and at the end of each tree
 * `answer QUERY COUNT NODE...` for each query, then `end`.
 */
#include <stddef.h>
#include "check.h"

typedef struct {
    int best;
    unsigned char type;
    double score;
    const char *name;
} Data_t;

static const GTDataDescript descript = {
    "live", sizeof(Data_t),
    2, { { "Even", 2 }, { "Leaf", 1 } },
    4, {
        { "best", offsetof(Data_t, best), sizeof(int), GTL_INT },
        { "type", offsetof(Data_t, type), sizeof(unsigned char), GTL_UINT },
        { "score", offsetof(Data_t, score), sizeof(double), GTL_FLOAT },
        { "name", offsetof(Data_t, name), sizeof(char *), GTL_TEXT },
    }
};

static uint32_t state = 1;

static int dice(int sides)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 16) % (uint32_t)sides);
}

static int search(GTLogHdl h, int depth, int move)
{
    int children = depth > 0 ? dice(6) + (depth > 4 ? 3 : 0) : 0, i;
    Data_t data;

    CHECK(gtl_enterNode(h, move) == GTL_OK, h);
    data.best = dice(10) - 4;
    for (i = 0; i < children; i++) {
        int value = -search(h, depth - 1, i);

        if (value > data.best)
            data.best = value;
    }
    data.type = (unsigned char)((children == 0 ? 1 : 0) | (data.best % 2 == 0 ? 2 : 0));
    data.score = data.best / 4.0;
    data.name = data.best > 3 ? "good" : NULL;
    CHECK(gtl_exitNode(h, dice(40) == 0 ? NULL : &data) == GTL_OK, h);
    return data.best;
}

static void tell(void *user, size_t query, uint64_t nodeId)
{
    CHECK(user == &state, NULL);
    printf("told %u %u\n", (unsigned)query, (unsigned)nodeId);
}

static void answer(GTLogHdl h)
{
    size_t query;

    for (query = 0; gtl_queryCount(h, query) >= 0; query++) {
        int64_t count = gtl_queryMatches(h, query, NULL, 0), i;
        uint64_t *nodes = (uint64_t *)malloc(((size_t)count + 1) * sizeof *nodes);

        CHECK(nodes != NULL && gtl_queryMatches(h, query, nodes, (size_t)count) == count, h);
        printf("answer %u %u", (unsigned)query, (unsigned)gtl_queryCount(h, query));
        for (i = 0; i < count; i++)
            printf(" %u", (unsigned)nodes[i]);
        printf("\n");
        free(nodes);
    }
    CHECK(gtl_queryCount(h, query) == GTL_ERROR_ARGUMENT, h);
    printf("end\n");
}

int main(int argc, char **argv)
{
    GTLogHdl h = gtl_create(&descript, argc > 2 ? argv[2] : NULL);
    int tree;

    CHECK(h != NULL && argc > 1, NULL);
    CHECK(gtl_setMetaInt(h, "floor", 2) == GTL_OK, h);
    CHECK(gtl_attachQuery(h, argv[1]) == GTL_OK, h);
    CHECK(gtl_setQueryCallback(h, tell, &state) == GTL_OK && gtl_isOn(h) == 1, h);
    for (tree = 0; tree < 2; tree++) {
        CHECK(gtl_setMetaInt(h, "floor", 2 + tree) == GTL_OK && gtl_openTree(h, NULL, 0) == GTL_OK, h);
        search(h, 7, 0);
        CHECK(gtl_closeTree(h) == GTL_OK, h);
        answer(h);
    }
    CHECK(gtl_delete(h) == GTL_OK, NULL);
    return 0;
}
