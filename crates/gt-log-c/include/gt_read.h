/*
 * gt_read.h: reads logs of game searches, and asks them queries, from C and C++.
 *
 *     GTReadHdl r = gtl_readOpen("search.gtf");
 *     GTAnswerHdl a = gtl_query(r, 0, "node: best > 100; child: count(*) > 2", NULL, 0);
 *     if (!a)
 *         fprintf(stderr, "%s\n", gtl_readError(r));
 *     for (int64_t row = 0; row < gtl_answerRows(a, 0); row++) {
 *         GTValue node;
 *         gtl_answerCell(a, 0, row, 0, &node);
 *         printf("%lld\n", (long long)node.integer);
 *     }
 *     gtl_answerFree(a);
 *     gtl_readClose(r);
 *
 * The library is that of gt_log.h. Calls that return a number return it, or one of the negative codes of gt_log.h; those that return
 * a pointer return NULL where there is nothing; gtl_readError and gtl_answerError say in a sentence what was wrong. None of them
 * ends the program: NULL is refused, and so are a reader that was closed and an answer that was freed.
 *
 * A reader and an answer may be used by any thread, calls on the same one after the other. Texts that a call returns stay until
 * the reader is closed or the answer freed; the text of an error stays until the next call.
 *
 * A log that is still being written, or was cut off by a crash, is read as far as it goes: gtl_readIsWhole tells.
 */
#ifndef GT_READ_H
#define GT_READ_H

#include "gt_log.h"

/* Types of values beside those of gt_log.h. */
#define GTL_UNKNOWN (-1) /* there is no value */
#define GTL_LINE      5  /* moves one after the other */

/* Stands for the log where the number of a tree is asked for. */
#define GTL_WHOLE_LOG (-1)

/* Columns beside the attributes, which have the numbers from 0. */
#define GTL_COLUMN_MOVE   (-1) /* the move that led to the node */
#define GTL_COLUMN_PARENT (-2) /* the node_id of its parent; -1 for the root */
#define GTL_COLUMN_PLY    (-3) /* its distance from the root */
#define GTL_COLUMN_SIZE   (-4) /* the nodes of its subtree, itself included */

typedef struct GTReader *GTReadHdl;
typedef struct GTAnswer *GTAnswerHdl;

/* A node. Nodes are numbered in preorder: the order in which a depth-first search enters them. */
typedef struct GTNode {
    uint64_t id;
    int64_t parent; /* -1 for the root */
    int64_t move;   /* that led to it */
    uint64_t size;  /* the nodes of its subtree, itself included */
    uint64_t ply;
} GTNode;

/* A value of an attribute, or a cell of an answer. */
typedef struct GTValue {
    int type;         /* GTL_INT, GTL_UINT, GTL_FLOAT, GTL_BOOL, GTL_TEXT, GTL_LINE or GTL_UNKNOWN */
    int64_t integer;  /* the number, for GTL_UINT to be cast to uint64_t; for GTL_LINE the number of moves */
    double number;    /* the number, whatever its type */
    const char *text; /* the text, or the moves with spaces between; else NULL */
} GTValue;

/* Is told a node and the values of its attributes, in their order; not 0 ends the visit. It makes no call on its reader,
 * and does not leave by longjmp or an exception. */
typedef int (*GTVisitFn)(void *user, const GTNode *node, const GTValue *values);

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a log, closes it, and says what was wrong; with NULL, what was wrong with this thread's last gtl_readOpen. */
GTReadHdl gtl_readOpen(const char *filename);
int gtl_readClose(GTReadHdl r);
const char *gtl_readError(GTReadHdl r);

/* About the log: whether it was closed properly (1 or 0), its game, how many trees it has and how many nodes one has. Trees are
 * numbered from 0. */
int gtl_readIsWhole(GTReadHdl r);
const char *gtl_readGame(GTReadHdl r);
int64_t gtl_readTrees(GTReadHdl r);
int64_t gtl_readNodes(GTReadHdl r, size_t tree);

/* What was said about a tree, or about the log with GTL_WHOLE_LOG, under a name; NULL where nothing was. */
const char *gtl_readMeta(GTReadHdl r, int64_t tree, const char *key);

/* How many attributes nodes have; the name of one, with its type and size where these are not NULL; and the number of a name. */
int64_t gtl_readAttributes(GTReadHdl r);
const char *gtl_readAttribute(GTReadHdl r, size_t attribute, int *type, size_t *size);
int64_t gtl_readAttributeIndex(GTReadHdl r, const char *name);

/* One node: itself, its children's node_ids, the moves that lead to it, and the value of an attribute. The second and third copy
 * as many as there is room for, and return how many there are. */
int gtl_readNode(GTReadHdl r, size_t tree, uint64_t id, GTNode *node);
int64_t gtl_readChildren(GTReadHdl r, size_t tree, uint64_t id, uint64_t *buffer, size_t capacity);
int64_t gtl_readLine(GTReadHdl r, size_t tree, uint64_t id, int64_t *buffer, size_t capacity);
int gtl_readValue(GTReadHdl r, size_t tree, uint64_t id, size_t attribute, GTValue *value);

/* A column: the number of an attribute, or GTL_COLUMN_MOVE and so on. Copies the values of the first nodes, as many as there is room
 * for, and returns how many were copied. `known`, where it is not NULL, gets 1 for a node that has the value and 0 for one that
 * has not; its value is then 0, or not a number. A column of texts is refused. */
int64_t gtl_readIntegers(GTReadHdl r, size_t tree, int column, int64_t *buffer, unsigned char *known, size_t capacity);
int64_t gtl_readNumbers(GTReadHdl r, size_t tree, int column, double *buffer, unsigned char *known, size_t capacity);

/* Shows a function every node of a tree in the order of their numbers. This is the fast way to look at all of them. */
int gtl_visit(GTReadHdl r, size_t tree, GTVisitFn function, void *user);

/* Asks all queries of a text. `$name` in it is the parameter of that name, or else what the tree's or the log's metadata say. Returns
 * NULL where a query cannot be understood or has no answer: gtl_readError shows the place in the text. */
GTAnswerHdl gtl_query(GTReadHdl r, size_t tree, const char *text, const GTMeta *parameters, size_t count);
int gtl_answerFree(GTAnswerHdl a);
const char *gtl_answerError(GTAnswerHdl a);

/* The answer to a query that is attached to a handle of gt_log.h, as a text with this one query would have it: of nodes and their number
 * what is known so far, of `select`, `group by` and a value what the tree came to that ended last. NULL on errors: gtl_lastError(h). */
GTAnswerHdl gtl_queryAnswer(GTLogHdl h, size_t query);

/* Answers: how many queries the text had, each with a table of rows and columns. A query for nodes has one column, node_id; a count
 * and a value are one row of one column; `select` and `group by` have the columns that they ask for. */
int64_t gtl_answers(GTAnswerHdl a);
int64_t gtl_answerRows(GTAnswerHdl a, size_t query);
int64_t gtl_answerColumns(GTAnswerHdl a, size_t query);
const char *gtl_answerColumn(GTAnswerHdl a, size_t query, size_t column, int *type);
int gtl_answerCell(GTAnswerHdl a, size_t query, size_t row, size_t column, GTValue *value);

/* Copies the node_ids of a query for nodes, as many as there is room for; returns how many there are. */
int64_t gtl_answerNodes(GTAnswerHdl a, size_t query, uint64_t *buffer, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
