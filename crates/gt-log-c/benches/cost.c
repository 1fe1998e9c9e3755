/* What logging costs a C program, for `make bench-log`: makes the calls of a search of NODES nodes in one of several ways and prints
 * the CPU time of the searching thread in nanoseconds.
 *
 *     cost null|off|foreground|background FILE
 *
 * Compiled with GTL_OFF it prints what the search itself takes, whatever it is told. */
#define _POSIX_C_SOURCE 200809L
#include <gt_log.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NODES = 10000000, DEPTH_MAX = 14 };

/* Nine attributes, as an alpha-beta engine would log them. */
typedef struct Node {
    int32_t alpha, beta, best, eval;
    int16_t depth, ply;
    uint8_t type, index, bound;
} Node;

static uint64_t state = 1;
static uint32_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

/* Nodes still to be entered. */
static int32_t left = NODES;
/* Kept so that the search is not left out when nothing is logged. */
static volatile int64_t kept;

static int32_t search(GTLogHdl h, int32_t alpha, int16_t depth, int16_t ply)
{
    uint32_t random = next();
    Node node = { alpha, alpha + 1, 0, (int32_t)(random >> 8 & 511), depth, ply, (uint8_t)(1 << (random & 3)),
                  (uint8_t)(random >> 3 & 31), 0 };
    gtl_enterNodeData(h, random & 4095, &node);
    left--;
    node.best = (int32_t)(random >> 8 & 1023);
    while (ply < DEPTH_MAX && left > 0 && next() % 16 < (ply == 0 ? 16u : 11u)) {
        int32_t value = -search(h, -alpha - 1, (int16_t)(depth - 1), (int16_t)(ply + 1));
        if (value > node.best) {
            node.best = value;
            node.bound = 1;
        }
    }
    gtl_exitNode(h, &node);
    return node.best;
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    static GTDataDescript descript = { "bench", sizeof(Node), 0, { { 0, 0 } }, 9, {
        GTL_FIELD_AT_ENTRY(Node, alpha), GTL_FIELD_AT_ENTRY(Node, beta), GTL_FIELD(Node, best), GTL_FIELD(Node, eval),
        GTL_FIELD_AT_ENTRY(Node, depth), GTL_FIELD_AT_ENTRY(Node, ply), GTL_FIELD(Node, type), GTL_FIELD(Node, index),
        GTL_FIELD(Node, bound) } };
    GTLogHdl h = NULL;
    double start;
    if (argc != 3) {
        fprintf(stderr, "cost null|off|foreground|background FILE\n");
        return 2;
    }
    if (strcmp(argv[1], "null")) {
        h = gtl_create(&descript, NULL);
        gtl_setEnabled(h, strcmp(argv[1], "off") != 0);
        gtl_setBackground(h, !strcmp(argv[1], "background"));
        if (gtl_open(h, argv[2]) || gtl_openTree(h, NULL, 0)) {
            fprintf(stderr, "%s\n", gtl_lastError(h));
            return 1;
        }
    }
    start = seconds();
    kept = search(h, 0, 20, 0);
    if (h)
        gtl_closeTree(h);
    printf("%.3f\n", 1e9 * (seconds() - start) / NODES);
    if (h && gtl_delete(h)) {
        fprintf(stderr, "%s\n", gtl_lastError(NULL));
        return 1;
    }
    return 0;
}
