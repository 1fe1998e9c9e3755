/* The thesis's appendix, as closely as a program that compiles can follow it: binary trees stand for the game. */
#include <stddef.h>
#include <stdio.h>
#include "gt_log.h"

typedef struct {
    int depth, alpha, beta, best, type;
} Data_t;

GTDataDescript gtDataDescr = /* <= GTL data description */
  { "TicTacToe", sizeof(Data_t), 0, {}, 5,
      { { "depth", offsetof(Data_t, depth), sizeof(int) },
        { "alpha", offsetof(Data_t, alpha), sizeof(int) },
        { "beta",  offsetof(Data_t, beta),  sizeof(int) },
        { "best",  offsetof(Data_t, best),  sizeof(int) },
        { "type",  offsetof(Data_t, type),  sizeof(int) } }
  };
GTLogHdl hGTL; /* <= Game-tree log handle. */

static int Minimax(int depth, int move_last)
{
    Data_t data; /* <= GTL data record, user defined. */
    int i;

    data.depth = depth;
    data.alpha = -1;
    data.beta = 1;
    data.type = 0;
    gtl_enterNode(hGTL, move_last); /* <= GTL enter node. */
    data.best = depth;
    for (i = 0; i < 2 && depth > 0; i++)
        Minimax(depth - 1, i);
    gtl_exitNode(hGTL, &data); /* <= GTL exit node. */
    return data.best;
}

int main(void)
{
    int depth;

    hGTL = gtl_create(&gtDataDescr, NULL);
    for (depth = 1; depth <= 3; depth++) {
        char filename[32];

        sprintf(filename, "tree%d.gtf", depth);
        if (gtl_open(hGTL, filename) != GTL_OK)
            return 1;
        Minimax(depth, 0);
        if (gtl_close(hGTL) != GTL_OK)
            return 2;
    }
    return gtl_delete(hGTL) == GTL_OK ? 0 : 3;
}
