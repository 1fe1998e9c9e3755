/*
 * Tic-tac-toe, searched to the end by negamax with iterative deepening, a query answered on the way: no log.
 *
 *   live [QUERY]
 *
 * Prints the first matches of each iteration as they are found, with the moves that lead there, and how many
 * there are. The lines that matter are marked <= GTL.
 *
 *   0 1 2      moves are squares
 *   3 4 5
 *   6 7 8
 */
#include <stddef.h>
#include <stdio.h>

#include "gt_log.h"                                             /* <= GTL */

enum { SQUARES = 9, NO_MOVE = -1, WIN = 1, DRAW = 0, MATCHES_SHOWN = 3 };

/* The position is a draw, one move holds it, and at least three lose. */
static const char *const DEFAULT_QUERY =
    "node: best = 0; child: count([]best = 0) = 1 and count([]best = 1) >= 3";

/* What a query can ask of each node.                              <= GTL data record */
typedef struct {
    int depth; /* plies still to be searched */
    int best;  /* its value for the player to move: 1, 0 or -1 */
} Data_t;

/* How it is laid out.                                             <= GTL data description */
static const GTDataDescript gtDataDescr = {
    "TicTacToe", sizeof(Data_t),
    0, { { NULL, 0 } },
    2, {
        { "depth", offsetof(Data_t, depth), sizeof(int), GTL_INT },
        { "best", offsetof(Data_t, best), sizeof(int), GTL_INT },
    }
};

/* Where the search is. */
typedef struct {
    GTLogHdl h;                                                 /* <= GTL handle */
    unsigned own;   /* the squares of the player to move, a bit each */
    unsigned other; /* those of the player who moved last */
    int line[SQUARES];
    int ply;
    int shown;      /* matches printed in this iteration */
} Search_t;

/* Called when a match is known. This query reads a node and its children, so that is when the search leaves
 * the node, and the line is the one that leads there.             <= GTL callback */
static void show(void *user, size_t query, uint64_t nodeId)
{
    Search_t *search = (Search_t *)user;
    int i;

    (void)query;
    if (search->shown++ >= MATCHES_SHOWN)
        return;
    printf("  node %lu, after", (unsigned long)nodeId);
    for (i = 0; i < search->ply; i++)
        printf(" %d", search->line[i]);
    printf("\n");
}

static int hasLine(unsigned squares)
{
    static const unsigned lines[8] = { 0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124 };
    int i;

    for (i = 0; i < 8; i++)
        if ((squares & lines[i]) == lines[i])
            return 1;
    return 0;
}

static int isFree(const Search_t *search, int square)
{
    return ((search->own | search->other) >> square & 1u) == 0;
}

static void makeMove(Search_t *search, int move)
{
    unsigned moved = search->own | 1u << move;

    search->own = search->other;
    search->other = moved;
    search->line[search->ply++] = move;
}

static void retractMove(Search_t *search)
{
    unsigned waiting = search->own;

    search->own = search->other & ~(1u << search->line[--search->ply]);
    search->other = waiting;
}

/* The value of the position for the player to move. */
static int negamax(Search_t *search, int depth)
{
    int lost = hasLine(search->other), square;
    Data_t data;

    gtl_enterNode(search->h, search->ply > 0 ? search->line[search->ply - 1] : NO_MOVE); /* <= GTL enter node */
    data.depth = depth;
    data.best = lost ? -WIN : DRAW;
    if (!lost && depth > 0 && search->ply < SQUARES) {
        data.best = -WIN - 1;
        for (square = 0; square < SQUARES; square++) {
            if (isFree(search, square)) {
                int value;

                makeMove(search, square);
                value = -negamax(search, depth - 1);
                retractMove(search);
                if (value > data.best)
                    data.best = value;
            }
        }
    }
    gtl_exitNode(search->h, &data);                             /* <= GTL exit node: matches are told here */
    return data.best;
}

int main(int argc, char **argv)
{
    Search_t search = { NULL, 0, 0, { 0 }, 0, 0 };
    int depth;

    search.h = gtl_create(&gtDataDescr, NULL);                  /* <= GTL create, without a file */
    if (search.h == NULL) {
        fprintf(stderr, "live: %s\n", gtl_lastError(NULL));
        return 1;
    }
    if (gtl_attachQuery(search.h, argc > 1 ? argv[1] : DEFAULT_QUERY) != GTL_OK) { /* <= GTL query */
        fprintf(stderr, "live: %s\n", gtl_lastError(search.h));
        gtl_delete(search.h);
        return 1;
    }
    gtl_setQueryCallback(search.h, show, &search);              /* <= GTL */

    for (depth = 1; depth <= SQUARES; depth++) {
        int value;

        search.shown = 0;
        gtl_openTree(search.h, NULL, 0);                        /* <= GTL the query starts anew */
        value = negamax(&search, depth);
        if (gtl_closeTree(search.h) != GTL_OK)                  /* <= GTL */
            fprintf(stderr, "live: %s\n", gtl_lastError(search.h));
        printf("depth %d: value %d, matches %ld\n", depth, value, (long)gtl_queryCount(search.h, 0));
    }
    return gtl_delete(search.h) == GTL_OK ? 0 : 1;              /* <= GTL delete */
}
