/*
 * Tic-tac-toe, searched to the end by negamax with iterative deepening, every node logged.
 *
 *   tictactoe [FILE]
 *
 * FILE is tictactoe.gtf, with a tree for each iteration, if none is given. With %d in its name, each iteration
 * has a file of its own: tictactoe 'tictactoe-%d.gtf'. The lines that matter for logging are marked <= GTL.
 *
 *   0 1 2      moves are squares; the root's is -1
 *   3 4 5
 *   6 7 8
 */
#include <stddef.h>
#include <stdio.h>

#include "gt_log.h"                                             /* <= GTL */

enum { SQUARES = 9, NO_MOVE = -1, WIN = 1, DRAW = 0 };

/* What kind of node it is: bits, so that a query can ask for several at once. */
enum { INNER = 1, WON = 2, DRAWN = 4, HORIZON = 8 };

typedef struct {
    unsigned own;   /* the squares of the player to move, a bit each */
    unsigned other; /* those of the player who moved last */
} Position_t;

/* What is logged of each node.                                    <= GTL data record */
typedef struct {
    int depth;         /* plies still to be searched */
    int best;          /* its value for the player to move: 1, 0 or -1 */
    int type;          /* INNER, WON, DRAWN or HORIZON */
    signed char reply; /* the best move, or NO_MOVE */
    unsigned char moves; /* how many there are */
} Data_t;

/* How it is laid out, and names for its numbers.                  <= GTL data description */
static const GTDataDescript gtDataDescr = {
    "TicTacToe", sizeof(Data_t),
    4, {
        { "InnerNode", INNER }, { "WonNode", WON }, { "DrawnNode", DRAWN }, { "HorizonNode", HORIZON },
    },
    5, {
        { "depth", offsetof(Data_t, depth), sizeof(int), GTL_INT },
        { "best", offsetof(Data_t, best), sizeof(int), GTL_INT },
        { "type", offsetof(Data_t, type), sizeof(int), GTL_INT },
        { "reply", offsetof(Data_t, reply), sizeof(signed char), GTL_INT },
        { "moves", offsetof(Data_t, moves), sizeof(unsigned char), GTL_UINT },
    }
};

static GTLogHdl hGTL;                                           /* <= GTL handle */

static int hasLine(unsigned squares)
{
    static const unsigned lines[8] = { 0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124 };
    int i;

    for (i = 0; i < 8; i++)
        if ((squares & lines[i]) == lines[i])
            return 1;
    return 0;
}

static int generateMoves(const Position_t *pos, int moves[SQUARES])
{
    int square, n = 0;

    if (hasLine(pos->other))
        return 0;
    for (square = 0; square < SQUARES; square++)
        if (((pos->own | pos->other) >> square & 1u) == 0)
            moves[n++] = square;
    return n;
}

static void makeMove(Position_t *pos, int move)
{
    unsigned moved = pos->own | 1u << move;

    pos->own = pos->other;
    pos->other = moved;
}

static void retractMove(Position_t *pos, int move)
{
    unsigned waiting = pos->own;

    pos->own = pos->other & ~(1u << move);
    pos->other = waiting;
}

/* The value of the position for the player to move. */
static int negamax(Position_t *pos, int depth, int lastMove)
{
    int moves[SQUARES], n, i;
    Data_t data;

    gtl_enterNode(hGTL, lastMove);                              /* <= GTL enter node */
    n = generateMoves(pos, moves);
    data.depth = depth;
    data.reply = NO_MOVE;
    data.moves = (unsigned char)n;
    if (n == 0 || depth == 0) {
        int won = hasLine(pos->other);

        data.best = won ? -WIN : DRAW;
        data.type = won ? WON : n == 0 ? DRAWN : HORIZON;
    } else {
        data.best = -WIN - 1;
        data.type = INNER;
        for (i = 0; i < n; i++) {
            int value;

            makeMove(pos, moves[i]);
            value = -negamax(pos, depth - 1, moves[i]);
            retractMove(pos, moves[i]);
            if (value > data.best) {
                data.best = value;
                data.reply = (signed char)moves[i];
            }
        }
    }
    gtl_exitNode(hGTL, &data);                                  /* <= GTL exit node */
    return data.best;
}

int main(int argc, char **argv)
{
    const char *filename = argc > 1 ? argv[1] : "tictactoe.gtf";
    int depth;

    hGTL = gtl_create(&gtDataDescr, NULL);                      /* <= GTL create */
    if (hGTL == NULL) {
        fprintf(stderr, "tictactoe: %s\n", gtl_lastError(NULL));
        return 1;
    }
    gtl_setReplace(hGTL, 1);                                    /* <= GTL a second run replaces the log of the first */
    if (gtl_open(hGTL, filename) != GTL_OK) {                   /* <= GTL open */
        fprintf(stderr, "tictactoe: %s\n", gtl_lastError(hGTL));
        return 1;
    }
    gtl_setLogMeta(hGTL, "engine", "examples/c/tictactoe");

    for (depth = 1; depth <= SQUARES; depth++) {
        Position_t pos = { 0, 0 };
        int value;

        gtl_setMetaInt(hGTL, "iteration", depth);
        gtl_openTree(hGTL, NULL, 0);                            /* <= GTL a tree for each iteration */
        value = negamax(&pos, depth, NO_MOVE);
        gtl_setMetaInt(hGTL, "value", value);
        gtl_closeTree(hGTL);                                    /* <= GTL */
        printf("depth %d: value %d\n", depth, value);
    }

    if (gtl_delete(hGTL) != GTL_OK) {                           /* <= GTL delete */
        fprintf(stderr, "tictactoe: %s\n", gtl_lastError(NULL));
        return 1;
    }
    return 0;
}
