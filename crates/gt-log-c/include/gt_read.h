/*
 * gt_read.h: reads logs of game searches, and runs queries on them, from C and C++.
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
 * The library is that of gt_log.h. Calls that return a number return it or one of the negative codes of gt_log.h; calls that
 * return a pointer return NULL if there is nothing to return. gtl_readError and gtl_answerError say in a sentence what was
 * wrong. No call ends the program: NULL, a reader that was closed and an answer that was freed are refused.
 *
 * Any thread may use a reader or an answer, but calls on the same one must not overlap. Texts that a call returns stay valid
 * until the reader is closed or the answer freed; the text of an error stays valid until the next call.
 *
 * A log that is still being written, or that a crash cut off, is read as far as it goes: gtl_readIsWhole tells.
 */
#ifndef GT_READ_H
#define GT_READ_H

#include "gt_log.h"

/* Types of values, in addition to those of gt_log.h. */
#define GTL_UNKNOWN (-1) /* there is no value */
#define GTL_LINE      5  /* a line of moves */

/* Passed where a call takes the number of a tree, means the whole log. */
#define GTL_WHOLE_LOG (-1)

/* Columns, in addition to the attributes, which are numbered from 0. */
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
    int64_t move;   /* the move that led to the node */
    uint64_t size;  /* the nodes of its subtree, itself included */
    uint64_t ply;
} GTNode;

/* A value of an attribute, or a cell of an answer. */
typedef struct GTValue {
    int type;         /* GTL_INT, GTL_UINT, GTL_FLOAT, GTL_BOOL, GTL_TEXT, GTL_LINE or GTL_UNKNOWN */
    int64_t integer;  /* the number; for GTL_UINT, cast it to uint64_t; for GTL_LINE, the number of moves */
    double number;    /* the number, whatever its type */
    const char *text; /* the text, or the moves separated by spaces; else NULL */
} GTValue;

/* Receives a node and the values of its attributes, in the attributes' order; a non-zero result ends the visit. It must not
 * call the library on its reader, and must not leave by longjmp or an exception. */
typedef int (*GTVisitFn)(void *user, const GTNode *node, const GTValue *values);

#ifdef __cplusplus
extern "C" {
#endif

/* Open a log, close it, and say what was wrong; with NULL, what was wrong with this thread's last gtl_readOpen. */
GTReadHdl gtl_readOpen(const char *filename);
int gtl_readClose(GTReadHdl r);
const char *gtl_readError(GTReadHdl r);

/* Tell about the log: whether it was closed properly (1 or 0), its game, how many trees it has, and how many nodes a tree
 * has. Trees are numbered from 0. */
int gtl_readIsWhole(GTReadHdl r);
const char *gtl_readGame(GTReadHdl r);
int64_t gtl_readTrees(GTReadHdl r);
int64_t gtl_readNodes(GTReadHdl r, size_t tree);

/* Returns the metadata of a tree, or of the log with GTL_WHOLE_LOG, under a key; NULL if there are none. */
const char *gtl_readMeta(GTReadHdl r, int64_t tree, const char *key);

/* Return how many attributes nodes have; an attribute's name, with its type and size if these are not NULL; and the number
 * of the attribute with this name. */
int64_t gtl_readAttributes(GTReadHdl r);
const char *gtl_readAttribute(GTReadHdl r, size_t attribute, int *type, size_t *size);
int64_t gtl_readAttributeIndex(GTReadHdl r, const char *name);

/* Return a node; the node_ids of its children; the moves that lead to it; and the value of an attribute. gtl_readChildren
 * and gtl_readLine copy as many as there is room for, and return how many there are. */
int gtl_readNode(GTReadHdl r, size_t tree, uint64_t id, GTNode *node);
int64_t gtl_readChildren(GTReadHdl r, size_t tree, uint64_t id, uint64_t *buffer, size_t capacity);
int64_t gtl_readLine(GTReadHdl r, size_t tree, uint64_t id, int64_t *buffer, size_t capacity);
int gtl_readValue(GTReadHdl r, size_t tree, uint64_t id, size_t attribute, GTValue *value);

/* Copy a column: an attribute, by its number, or GTL_COLUMN_MOVE and so on. They copy the values of the first nodes, as many
 * as there is room for, and return how many they copied. `known`, if it is not NULL, gets 1 for a node that has the value,
 * and 0 for a node that lacks it, whose value is then 0, or not a number. A column of texts is refused. */
int64_t gtl_readIntegers(GTReadHdl r, size_t tree, int column, int64_t *buffer, unsigned char *known, size_t capacity);
int64_t gtl_readNumbers(GTReadHdl r, size_t tree, int column, double *buffer, unsigned char *known, size_t capacity);

/* Calls a function for every node of a tree, in the order of the nodes' numbers. This is the fast way to look at all. */
int gtl_visit(GTReadHdl r, size_t tree, GTVisitFn function, void *user);

/* Runs all queries of a text. `$name` in it is the parameter of that name, or else the value that the tree's or the log's
 * metadata have for it. Returns NULL if a query cannot be understood or has no answer: gtl_readError shows the place. */
GTAnswerHdl gtl_query(GTReadHdl r, size_t tree, const char *text, const GTMeta *parameters, size_t count);
int gtl_answerFree(GTAnswerHdl a);
const char *gtl_answerError(GTAnswerHdl a);

/* Returns the answer to a query that is attached to a handle of gt_log.h, as if it were the only query of its text: for
 * nodes and their number, what is known so far; for `select`, `group by` and a value, the result of the tree that ended
 * last. Returns NULL on errors: see gtl_lastError. */
GTAnswerHdl gtl_queryAnswer(GTLogHdl h, size_t query);

/* Read an answer: how many queries the text had, and each query's table of rows and columns. A query for nodes has one
 * column, node_id; a count and a value have one row of one column; `select` and `group by` have the columns they ask for. */
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
