/*
 * The eight-puzzle, solved by A*: a search that is not depth-first, logged with gtl_addNode, and its log asked afterwards.
 *
 *   puzzle [FILE [POSITION]]      puzzle.gtf 867254301
 *
 * A position is nine digits, row by row, 0 being the gap. The lines that matter are marked <= GTL.
 *
 *   8 6 7        1 2 3      a move slides the gap: 0 up, 1 down, 2 left, 3 right
 *   2 5 4   to   4 5 6
 *   3 0 1        7 8 0
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gt_read.h"                                            /* <= GTL: logs are read, too */

enum { CELLS = 9, POSITIONS = 362880, NO_NODE = -1, NEVER = -1 };

static const char *const GOAL = "123456780";
static const char *const MOVE_NAMES[] = { "up", "down", "left", "right" };

/* What a query can ask of each node.                              <= GTL data record */
typedef struct {
    int g;          /* moves from the start */
    int h;          /* at least so many to the goal */
    int expanded;   /* the how-manieth it was to be expanded, or NEVER */
    int isSolution; /* whether it lies on the way to the goal that was found */
} Data_t;

static const GTDataDescript gtDataDescr = {                     /* <= GTL data description */
    "eight-puzzle", sizeof(Data_t),
    0, { { NULL, 0 } },
    4, {
        { "g", offsetof(Data_t, g), sizeof(int), GTL_INT },
        { "h", offsetof(Data_t, h), sizeof(int), GTL_INT },
        { "expanded", offsetof(Data_t, expanded), sizeof(int), GTL_INT },
        { "isSolution", offsetof(Data_t, isSolution), sizeof(int), GTL_BOOL },
    }
};

typedef struct {
    char cells[CELLS + 1];
    int parent;
    int move;
    int64_t logged; /* its number in the log                       <= GTL */
    Data_t data;
} Node_t;

static Node_t *nodes;
static int nodeCount, nodeRoom;
static int *heap, heapCount;
static int fewest[POSITIONS]; /* moves to each position; 0 where it was not reached (the start is never reached again) */

/* The number of a position among all. */
static int rankOf(const char *cells)
{
    static const int factorials[] = { 40320, 5040, 720, 120, 24, 6, 2, 1, 1 };
    int rank = 0, i, j;

    for (i = 0; i < CELLS; i++)
        for (j = i + 1; j < CELLS; j++)
            if (cells[j] < cells[i])
                rank += factorials[i];
    return rank;
}

/* Every tile has to go at least as far as this. */
static int distance(const char *cells)
{
    int sum = 0, i;

    for (i = 0; i < CELLS; i++) {
        int goal = (int)(strchr(GOAL, cells[i]) - GOAL);
        if (cells[i] != '0')
            sum += abs(goal / 3 - i / 3) + abs(goal % 3 - i % 3);
    }
    return sum;
}

/* Smaller f first; among equals the deeper. */
static int isBefore(int a, int b)
{
    const Data_t *x = &nodes[a].data, *y = &nodes[b].data;

    return x->g + x->h != y->g + y->h ? x->g + x->h < y->g + y->h : x->g > y->g;
}

static void push(int node)
{
    int place = heapCount++;

    for (; place > 0 && isBefore(node, heap[(place - 1) / 2]); place = (place - 1) / 2)
        heap[place] = heap[(place - 1) / 2];
    heap[place] = node;
}

static int pop(void)
{
    int top = heap[0], node = heap[--heapCount], place = 0, child;

    while ((child = 2 * place + 1) < heapCount) {
        if (child + 1 < heapCount && isBefore(heap[child + 1], heap[child]))
            child++;
        if (!isBefore(heap[child], node))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = node;
    return top;
}

static int add(GTLogHdl h, const char *cells, int parent, int move)
{
    Node_t *node;

    if (nodeCount == nodeRoom) {
        nodeRoom = nodeRoom ? 2 * nodeRoom : 1024;
        nodes = (Node_t *)realloc(nodes, (size_t)nodeRoom * sizeof *nodes);
        heap = (int *)realloc(heap, (size_t)nodeRoom * sizeof *heap);
        if (!nodes || !heap) {
            fprintf(stderr, "out of memory\n");
            exit(1);
        }
    }
    node = &nodes[nodeCount];
    memcpy(node->cells, cells, CELLS + 1);
    node->parent = parent;
    node->move = move;
    node->data.g = parent == NO_NODE ? 0 : nodes[parent].data.g + 1;
    node->data.h = distance(cells);
    node->data.expanded = NEVER;
    node->data.isSolution = 0;
    node->logged = gtl_addNode(h, parent == NO_NODE ? GTL_NO_PARENT : nodes[parent].logged, move, &node->data); /* <= GTL */
    return nodeCount++;
}

static void expand(GTLogHdl h, int parent)
{
    int gap = (int)(strchr(nodes[parent].cells, '0') - nodes[parent].cells), move;

    for (move = 0; move < 4; move++) {
        int to = gap + (move == 0 ? -3 : move == 1 ? 3 : move == 2 ? -1 : 1), rank, moves;
        char cells[CELLS + 1];

        if (to < 0 || to >= CELLS || (move >= 2 && to / 3 != gap / 3))
            continue;
        memcpy(cells, nodes[parent].cells, sizeof cells);
        cells[gap] = cells[to];
        cells[to] = '0';
        rank = rankOf(cells);
        moves = nodes[parent].data.g + 1;
        if (fewest[rank] && fewest[rank] <= moves)
            continue;
        fewest[rank] = moves;
        push(add(h, cells, parent, move));
    }
}

/* The goal's node, or NO_NODE. */
static int search(GTLogHdl h, const char *start)
{
    int expanded = 0, node;

    fewest[rankOf(start)] = NEVER;
    push(add(h, start, NO_NODE, 0));
    while (heapCount > 0) {
        node = pop();
        nodes[node].data.expanded = expanded++;
        gtl_setNode(h, nodes[node].logged, &nodes[node].data);  /* <= GTL: what became of it */
        if (nodes[node].data.h == 0)
            return node;
        expand(h, node);
    }
    return NO_NODE;
}

static void markSolution(GTLogHdl h, int node)
{
    for (; node != NO_NODE; node = nodes[node].parent) {
        nodes[node].data.isSolution = 1;
        gtl_setNode(h, nodes[node].logged, &nodes[node].data);  /* <= GTL */
    }
}

/* Asks the log that was just written, and prints the tables.      <= GTL queries */
static int ask(const char *file)
{
    static const char queries[] =
        "node: count(expanded < 0)\n\n"
        "node: * group by g + h select g + h as f, count(*) as nodes, count(expanded >= 0) as done\n\n"
        "node: isSolution select @ply, h, @size as below order by @ply limit 5";
    GTReadHdl r = gtl_readOpen(file);
    GTAnswerHdl a = gtl_query(r, 0, queries, NULL, 0);
    size_t query, column;
    int64_t row;

    if (!a) {
        fprintf(stderr, "%s\n", gtl_readError(r));
        return 1;
    }
    for (query = 0; query < (size_t)gtl_answers(a); query++) {
        putchar('\n');
        for (column = 0; column < (size_t)gtl_answerColumns(a, query); column++)
            printf("%10s", gtl_answerColumn(a, query, column, NULL));
        putchar('\n');
        for (row = 0; row < gtl_answerRows(a, query); row++) {
            for (column = 0; column < (size_t)gtl_answerColumns(a, query); column++) {
                GTValue value = { GTL_UNKNOWN, 0, 0, NULL };
                gtl_answerCell(a, query, (size_t)row, column, &value);
                printf("%10ld", (long)value.integer);
            }
            putchar('\n');
        }
    }
    gtl_answerFree(a);
    gtl_readClose(r);
    return 0;
}

int main(int argc, char **argv)
{
    const char *file = argc > 1 ? argv[1] : "puzzle.gtf", *start = argc > 2 ? argv[2] : "867254301";
    GTLogHdl h;
    int node, i;

    for (i = 0; i < CELLS && strlen(start) == CELLS; i++)
        if (!strchr(start, GOAL[i]))
            break;
    if (i < CELLS) {
        fprintf(stderr, "a position is the digits 0 to 8, each once; `%s` is none\n", start);
        return 2;
    }
    h = gtl_create(&gtDataDescr, NULL);                         /* <= GTL */
    gtl_setReplace(h, 1);
    if (gtl_open(h, file) != GTL_OK) {
        fprintf(stderr, "%s\n", gtl_lastError(h));
        return 1;
    }
    gtl_setMeta(h, "position", start);
    node = search(h, start);
    markSolution(h, node);
    if (gtl_closeTree(h) != GTL_OK || gtl_delete(h) != GTL_OK) { /* <= GTL: now the tree is written */
        fprintf(stderr, "%s\n", gtl_lastError(NULL));
        return 1;
    }
    printf("%d nodes, %d of them still open\n", nodeCount, heapCount);
    if (node == NO_NODE)
        printf("there is no way to the goal\n");
    else
        printf("%d moves, the last of them %s\n", nodes[node].data.g, MOVE_NAMES[nodes[node].move]);
    return ask(file);
}
