/* Ends in mid-search, in the way that is asked for: crash kill|abort|exit. */
#define _POSIX_C_SOURCE 200112L
#include <stddef.h>
#include <signal.h>
#include "check.h"

enum { BRANCHING = 3, DEPTH = 9, LAST_NODE = 12345 };

typedef struct {
    int depth, number;
} Data_t;

static const GTDataDescript descript =
  { "crash", sizeof(Data_t), 0, { { NULL, 0 } }, 2,
    { { "depth", offsetof(Data_t, depth), sizeof(int), GTL_INT },
      { "number", offsetof(Data_t, number), sizeof(int), GTL_INT } } };

static int nodes;
static const char *ending;

static void end(void)
{
    if (strcmp(ending, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(ending, "abort") == 0)
        abort();
    exit(0); /* without closing anything */
}

static void search(GTLogHdl h, int depth, int move)
{
    Data_t data;
    int i;

    data.depth = depth;
    data.number = nodes++;
    CHECK(gtl_enterNode(h, move) == GTL_OK, h);
    if (data.number == LAST_NODE)
        end();
    for (i = 0; i < BRANCHING && depth > 0; i++)
        search(h, depth - 1, i);
    CHECK(gtl_exitNode(h, &data) == GTL_OK, h);
}

int main(int argc, char **argv)
{
    GTLogHdl h = gtl_create(&descript, "crash.gtf");

    CHECK(h != NULL && argc == 2, NULL);
    ending = argv[1];
    CHECK(gtl_setFlush(h, 1000, 0) == GTL_OK, h);
    search(h, DEPTH, 0);
    return 3; /* never reached */
}
