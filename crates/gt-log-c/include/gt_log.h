/*
 * gt_log.h: logs the tree of a game search, from C and C++.
 *
 *     static GTDataDescript descript =
 *       { "TicTacToe", sizeof(Data_t), 0, {}, 2,
 *         { GTL_FIELD(Data_t, depth), GTL_FIELD(Data_t, best) } };
 *
 *     GTLogHdl h = gtl_create(&descript, "search.gtf");      once; refused if search.gtf exists
 *     gtl_openTree(h, NULL, 0);                              for each iteration
 *     gtl_enterNode(h, move);   gtl_exitNode(h, &data);      at each node
 *     gtl_closeTree(h);
 *     gtl_delete(h);                                         at the end
 *
 * Queries can be attached to a handle. They are answered while the engine searches, with or without a log:
 *
 *     gtl_attachQuery(h, "node: best > 0; child: count([]best = 0) > 2");
 *     ...                                                    search as above
 *     gtl_queryCount(h, 0)                                   at any time
 *
 * Calls return GTL_OK or one of the negative codes below, and gtl_lastError says in a sentence what was
 * wrong. No call ends the program. On a NULL handle, calls return GTL_ERROR_ARGUMENT. A call that does not fit
 * (an exit without its enter) is ignored. When the system refuses to write (a full disk), logging stays off
 * from then on. Whatever happens, what is in the file can be read, even after a crash of the engine.
 * An engine may ignore every return value and call gtl_lastError once, at the end.
 *
 * Only one thread may use a handle at a time: from entering a root until leaving it, the thread that entered it;
 * otherwise, whichever thread calls. An engine may use any number of handles at once, each with its own files or,
 * if made by gtl_share, all with one file. The library refuses a call from a second thread, on a deleted handle, or
 * on a handle that a fork copied: the call returns GTL_ERROR_ORDER, and gtl_lastError tells that thread what was wrong.
 * (The library cannot check a pointer that none of its calls returned.)
 *
 * The library sets no signal handlers: under a limit on the file size (RLIMIT_FSIZE), SIGXFSZ ends an engine
 * that does not ignore it, as with any other file.
 *
 * gt_read.h, installed beside this header, reads logs and runs queries on them.
 *
 * gt_log.hpp, installed beside this header, is for C++: its guards leave a node on every return and exception.
 *
 * With GTL_OFF defined before this header is included, every call compiles to nothing, and no library is needed.
 */
#ifndef GT_LOG_H
#define GT_LOG_H

#include <stddef.h>
#include <stdint.h>

#define GTL_VERSION "0.1.0"

/* How many aliases and how many attributes a descriptor has room for. */
#define GTL_ALIASES_MAX 256
#define GTL_ATTRIBUTES_MAX 256

/* The types of attributes. */
#define GTL_INT   0 /* signed integer of 1, 2, 4 or 8 bytes; the default if no type is given */
#define GTL_UINT  1 /* unsigned integer of 1, 2, 4 or 8 bytes */
#define GTL_FLOAT 2 /* float or double */
#define GTL_BOOL  3 /* true or false, of 1, 2, 4 or 8 bytes; zero is false */
#define GTL_TEXT  4 /* const char *, in UTF-8, at most 65,535 bytes; NULL is the empty text */

/* Added to a type, says that the attribute is already known when a node is entered; see gtl_enterNodeData. */
#define GTL_AT_ENTRY 0x100

/* The codes that calls return. */
#define GTL_OK              0
#define GTL_ERROR_ARGUMENT (-1) /* an argument is NULL or not valid */
#define GTL_ERROR_ORDER    (-2) /* the call does not fit the calls before it */
#define GTL_ERROR_WRITE    (-3) /* the file cannot or must not be written; logging to it is off */
#define GTL_ERROR_LIMIT    (-4) /* the tree is too deep or too large to be logged whole */
#define GTL_ERROR_INTERNAL (-5) /* a fault of the library; logging is off */
#define GTL_ERROR_QUERY    (-6) /* a query cannot be understood, or has no answer */
#define GTL_ERROR_READ     (-7) /* a log cannot be read or is damaged; returned only by calls of gt_read.h */

/* Passed to gtl_addNode as the parent of a root. */
#define GTL_NO_PARENT (-1)

/* The most nodes that the queries of one text hold in memory, unless gtl_setQueryLimit sets another limit. */
#define GTL_QUERY_NODES_HELD_MAX 1048576

/* A name for a number, for use in queries: `PVNode`, or `type:PVNode` for a name of values of the attribute `type`. */
typedef struct GTAlias {
    const char *name;
    int64_t value;
} GTAlias;

/* A field of the record. A name is a letter, followed by letters, digits and `_`. */
typedef struct GTAttribute {
    const char *name;
    size_t offset; /* offsetof the field */
    size_t size;   /* sizeof the field */
    int type;      /* GTL_INT, GTL_UINT, GTL_FLOAT, GTL_BOOL or GTL_TEXT, with or without GTL_AT_ENTRY */
} GTAttribute;

/* Describes a field of a record as an attribute: the compiler fills in its name, offset, size and type.
 * GTL_FIELD_AS gives the attribute another name; GTL_FIELD_AT_ENTRY says that it is already known when a node is entered.
 * In C, these macros need C11. A field of a type that cannot be logged (an array, a long double) does not compile. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)
#define GTL_FIELD(Record, field) GTL_FIELD_AS(Record, field, #field)
#define GTL_FIELD_AS(Record, field, name) \
    { name, offsetof(Record, field), sizeof(((Record *)0)->field), GTL_TYPE_OF(Record, field) }
#define GTL_FIELD_AT_ENTRY(Record, field) \
    { #field, offsetof(Record, field), sizeof(((Record *)0)->field), GTL_TYPE_OF(Record, field) | GTL_AT_ENTRY }
#endif
#ifdef __cplusplus
#define GTL_TYPE_OF(Record, field) (gtl_detail::TypeOf<decltype(Record::field)>::value)
#else
#define GTL_TYPE_OF(Record, field) \
    _Generic(&((Record *)0)->field, \
        _Bool *: GTL_BOOL, char *: ((char)-1 < 0 ? GTL_INT : GTL_UINT), \
        signed char *: GTL_INT, short *: GTL_INT, int *: GTL_INT, long *: GTL_INT, long long *: GTL_INT, \
        unsigned char *: GTL_UINT, unsigned short *: GTL_UINT, unsigned *: GTL_UINT, \
        unsigned long *: GTL_UINT, unsigned long long *: GTL_UINT, \
        float *: GTL_FLOAT, double *: GTL_FLOAT, char **: GTL_TEXT, const char **: GTL_TEXT)
#endif

/* Describes the records that gtl_exitNode is given. */
typedef struct GTDataDescript {
    const char *game;
    size_t recordSize; /* sizeof the record */
    size_t aliasCount;
    GTAlias aliases[GTL_ALIASES_MAX];
    size_t attributeCount;
    GTAttribute attributes[GTL_ATTRIBUTES_MAX];
} GTDataDescript;

/* A named text about a tree: { "iteration", "5" }. */
typedef struct GTMeta {
    const char *key;
    const char *value;
} GTMeta;

/* Returns non-zero if logging is to start at the node that these moves lead to from the root (no moves: the root
 * itself). The library calls it inside gtl_enterNode. It must not call the library on its handle, and must not leave
 * by longjmp or an exception. */
typedef int (*GTTriggerFn)(const int64_t *line, size_t count, void *context);

/* Receives a match of an attached query. The library calls it inside the call that made the match known. It must not
 * call the library on its handle, and must not leave by longjmp or an exception. */
typedef void (*GTQueryFn)(void *user, size_t query, uint64_t nodeId);

/* A handle. The library owns what it points to; only the inline functions below read the field. */
typedef struct GTLog {
    volatile int32_t isQuiet; /* not 0 if calls at nodes would do nothing */
} *GTLogHdl;

#ifndef GTL_OFF

#ifdef __cplusplus
extern "C" {
#endif

/* ---- handles ---------------------------------------------------------------------------------------------- */

/* Makes a handle for records as described; the descriptor is not needed afterwards. With a file name, opens
 * the file as gtl_open does. With NULL, call gtl_open later, or attach queries and use no file. On errors, returns
 * NULL, and gtl_lastError(NULL) says why. */
GTLogHdl gtl_create(const GTDataDescript *descript, const char *filename);

/* Makes another handle, for another thread, which has its own trees. The handle logs into the same file (or, with a
 * pattern, into files that are numbered together), with the same settings, but no queries. The file is closed when the
 * last of the handles is deleted or opens another file. Metadata of the whole log must be set before this call. On
 * errors, returns NULL, and gtl_lastError(NULL) says why. */
GTLogHdl gtl_share(GTLogHdl h);

/* Closes what is open and ends the handle: every later call on it is refused. If closing fails, gtl_lastError(NULL)
 * says why. Some hundred bytes stay allocated, so that a late call is noticed. */
int gtl_delete(GTLogHdl h);

/* Returns what was wrong last: one sentence (for the text of a query, several lines that show the place), or an empty
 * text; never NULL. The error stays until the next one; the pointer is valid until the next call on the handle. With
 * NULL, returns the error of this thread's last gtl_create or gtl_share, or of a gtl_delete that has failed since. On a
 * handle that this thread may not use, returns why not. */
const char *gtl_lastError(GTLogHdl h);

/* Returns the version of the library: GTL_VERSION if header and library fit. */
const char *gtl_version(void);

/* ---- files ------------------------------------------------------------------------------------------------ */

/* Opens a new file for all trees from now on, and closes the file that was open. A name with %d in it (or %03d, with
 * zeros) stands for one file per tree: "search-%d.gtf" gives search-1.gtf for the next tree, search-2.gtf for the
 * tree after it, and so on. %p is the number of the process, %h the number of the file name in that process, and %t the
 * time (20261116-043000, in UTC), so that threads and runs get their own files. If the file exists, it stays as it is
 * and the call returns GTL_ERROR_WRITE, unless gtl_setReplace allows replacing it; with a pattern, this concerns only
 * that tree. A file that another handle or program is writing is always refused, and so is a write-protected file. */
int gtl_open(GTLogHdl h, const char *filename);

/* Sets whether files that are opened from now on replace existing files of the same name (1) or are refused (0, the
 * default). An engine that always logs to the same file opens it like this:
 *
 *     GTLogHdl h = gtl_create(&descript, NULL);
 *     gtl_setReplace(h, 1);
 *     gtl_open(h, "search.gtf");
 *
 * The old file is gone once the new one has begun. */
int gtl_setReplace(GTLogHdl h, int replace);

/* Sets whether files that are opened from now on add their trees to an existing log of the same name (1) or are refused
 * (0, the default). The existing log must be closed and have the same game, attributes and aliases; the metadata of the
 * whole log stay as they are. Of gtl_setReplace and gtl_setAppend, the last call counts. */
int gtl_setAppend(GTLogHdl h, int append);

/* Closes the tree and the file that are open. If nothing is open, that is no error. */
int gtl_close(GTLogHdl h);

/* Sets metadata of the whole log: engine, version, options. Call it before the log's first tree; it also holds for
 * files that this handle opens later. */
int gtl_setLogMeta(GTLogHdl h, const char *key, const char *value);

/* ---- trees ------------------------------------------------------------------------------------------------ */

/* Begins a tree, with `count` entries of metadata (or NULL and 0). Closes the open tree, if there is one, first. If that
 * tree had nodes open, the returned code says so, but the new tree begins all the same. */
int gtl_openTree(GTLogHdl h, const GTMeta *meta, size_t count);

/* Ends the tree. Nodes that are still open are an error: the log has them, marked unfinished. */
int gtl_closeTree(GTLogHdl h);

/* Ends the tree of a search that was broken off: nodes that are still open are no error here. */
int gtl_abandonTree(GTLogHdl h);

/* Sets metadata of the open tree (its value, the time it took), which are written when the tree ends, or, if no tree is
 * open, of the next tree. */
int gtl_setMeta(GTLogHdl h, const char *key, const char *value);
int gtl_setMetaInt(GTLogHdl h, const char *key, int64_t value);

/* ---- nodes ------------------------------------------------------------------------------------------------ */

/* Records that the search goes down a move; for the root, any number. Begins a tree if none is open. */
int gtl_enterNode(GTLogHdl h, int64_t move);

/* Enters a node like gtl_enterNode, with attributes that are already known. It reads those attributes of the record at
 * `data` whose type has GTL_AT_ENTRY; the others need not be set. If gtl_exitNode gets a record, the node has that
 * record's values; if it gets NULL, or is never called, the node keeps the values from its entry and lacks the rest. */
int gtl_enterNodeData(GTLogHdl h, int64_t move, const void *data);

/* Records that the search leaves the node it entered last; `data` is a record as described. With NULL, the node's
 * attributes are unknown (except those that gtl_enterNodeData was given), and the node is marked unfinished. */
int gtl_exitNode(GTLogHdl h, const void *data);

/* Names a move of a game that GT-Tools does not know: its name is shown in place of its number. Naming each number once
 * is enough; a later name replaces the earlier one. Names go to the file with the next tree, or when it is closed. */
int gtl_nameMove(GTLogHdl h, int64_t move, const char *name);

/* Adds a node to a tree that is not searched depth-first (A*, proof numbers, Monte Carlo): below the node with the number
 * `parent`, or as the root with GTL_NO_PARENT. Returns the new node's number, counted from 0 in the order of the calls, or
 * a negative code. The record may be NULL: the node's attributes are then unknown. Children keep the order in which they
 * were added.
 *
 * The library holds such a tree in memory and writes it when it is closed: a crash before then loses the tree. The log
 * numbers its nodes in preorder, as in every tree; an engine that needs the order of the calls puts a counter into its
 * record. A tree is made either by these calls or by gtl_enterNode and gtl_exitNode. While queries are attached, these
 * calls are refused. While logging is off, the number is 0. */
int64_t gtl_addNode(GTLogHdl h, int64_t parent, int64_t move, const void *data);

/* Gives a node that gtl_addNode added other values, while the tree is open. */
int gtl_setNode(GTLogHdl h, int64_t node, const void *data);

/* Writes what was logged so far to the file now. */
int gtl_flush(GTLogHdl h);

/* ---- settings: for the trees begun from now on ------------------------------------------------------------ */

/* Switches logging off (0) or on. While it is off, calls at nodes cost a few branches and no file is made. Attached
 * queries are still answered. */
int gtl_setEnabled(GTLogHdl h, int enabled);

/* Returns 1 if nodes are being logged or queries answered, or would be if a tree began now. Else returns 0: then nobody
 * reads the records. */
int gtl_isOn(GTLogHdl h);

/* Sets when nodes go to the file: after this many nodes (0: 32,768), or this many milliseconds after the last time
 * (0: never by time). Without this call: 32,768 nodes and 1,000 ms. */
int gtl_setFlush(GTLogHdl h, uint64_t nodesMax, uint64_t timeMsMax);

/* Sets whether a separate thread for the tree encodes and writes full blocks (1), so that the search only copies its
 * records, or the search does that itself (0, the default). The thread takes some 3 MB per tree; it helps if a core is
 * free. The end of a tree then does not wait for the thread, which writes the rest while the engine goes on; gtl_flush,
 * gtl_close and the end of the process do wait. The next tree, gtl_flush or gtl_close reports an error of the thread. */
int gtl_setBackground(GTLogHdl h, int background);

/* Limits how many nodes of a tree are logged, and about how many bytes the file takes; 0 is no limit. Beyond the limit,
 * subtrees are left out, and the node above a left-out part says how many nodes it stands for. */
int gtl_setBudget(GTLogHdl h, uint64_t nodesMax, uint64_t bytesMax);

/* Logs only the subtree at the end of this line of moves from the root, and the path to it. With `once`, logs it only
 * the first time that a tree gets there. Nodes that are left out are counted. */
int gtl_setTriggerLine(GTLogHdl h, const int64_t *moves, size_t count, int once);

/* Logs, on every line, only the subtree of the first node for which the function returns non-zero. */
int gtl_setTriggerCallback(GTLogHdl h, GTTriggerFn function, void *context, int once);

/* Removes the trigger: everything is logged again. */
int gtl_clearTrigger(GTLogHdl h);

/* ---- queries: answered while the engine searches ------------------------------------------------------------
 *
 * A query is written in GTQL and names the attributes and aliases of the descriptor. It sees every node of the
 * search, including nodes that a trigger or a budget leaves out of the log, that a full disk loses, or that are
 * searched while logging is off or no file is open. Nodes are numbered as they are entered, from 0 for the root:
 * these numbers are the node_ids in a log of the whole tree. A node that is left with NULL, or is still open when
 * its tree ends, is unfinished, and its attributes are unknown, as in the log.
 *
 * Each tree starts all queries anew. A tree's answers can be read while it grows, and after it has ended until the
 * next tree begins. A match is reported as soon as the values that the query reads are known:
 *
 *     the query reads                            a match is reported           memory holds
 *     the node, what is below, [<] [0] [-1]      when the node is left         the open path, 3 nodes a ply
 *     [<k] [k] [-k]                              when the node is left         the open path, k nodes a ply more
 *     before:                                    when the node is left         the open path, 3 nodes a ply
 *     in child: or before: x together with []x   when the node is left         the children of the open path
 *     [>]                                        when the next sibling is,     the open path, 3 nodes a ply
 *                                                or the parent
 *     [^], [>k] from [>2] on, after:             when the parent is left       the children of the open path
 *     [^^]                                       when the grandparent is left  the grandchildren, too
 *     path: over attributes, tree:               when the root is left         all nodes that may match, with
 *                                                                              their ancestors
 *
 * `twin` is refused: it compares nodes anywhere in the tree, so the whole tree would have to be held.
 *
 * A held node takes about a kilobyte, more if there are many queries; a kept match takes 8 bytes. A node costs the
 * search one to six microseconds, depending on the queries; without queries, it costs a branch in each call. */

/* Attaches the queries in `text`: one query, or several with a blank line between two. They are numbered from 0 in the
 * order of the text, after the queries attached before, and start with the next tree. A parameter `$x` takes its value
 * from the metadata: the tree's, as far as they are set when it begins; otherwise those that were set with gtl_setMeta
 * when the queries were attached; otherwise the log's. On errors, attaches nothing and returns GTL_ERROR_QUERY, and
 * gtl_lastError shows each error in its line. The rows of `select`, the groups of `group by` and a value
 * (`node: max(x)`) are known when the tree has ended: gtl_queryAnswer in gt_read.h returns them. */
int gtl_attachQuery(GTLogHdl h, const char *text);

/* Removes all queries, their answers and the callback. */
int gtl_detachQueries(GTLogHdl h);

/* Returns how many nodes match the query so far, or matched in the tree that ended last; `limit` does not limit the
 * number. Negative codes: GTL_ERROR_ARGUMENT if there is no such query; GTL_ERROR_QUERY if arithmetic left the range
 * of 64-bit integers, which is found out, and returned by gtl_closeTree, when the tree ends; GTL_ERROR_LIMIT if the
 * query would have had to hold too many nodes. */
int64_t gtl_queryCount(GTLogHdl h, size_t query);

/* Copies the node_ids of the matches to `buffer`, at most `capacity` of them (NULL and 0: none), and returns
 * how many matches there are, or a negative code as gtl_queryCount does. While the tree grows, they are in the order in
 * which they were reported; when it has ended, they ascend, or are as `order by` and `limit` say, which apply only
 * then. `node: count(...)` keeps no matches. */
int64_t gtl_queryMatches(GTLogHdl h, size_t query, uint64_t *buffer, size_t capacity);

/* Sets the function that is called, with `user`, for each match of any query from now on (NULL: no function). Matches
 * are reported when they are known (see above); matches that become known at once come in the order of their node_ids,
 * query by query. The last matches may come inside the call that ends the tree. */
int gtl_setQueryCallback(GTLogHdl h, GTQueryFn callback, void *user);

/* Limits how many nodes the queries of one text hold, in trees that begin from now on; 0 is no limit. Beyond the limit,
 * gtl_enterNode returns GTL_ERROR_LIMIT once, and these queries have no answers for this tree; the log goes on. */
int gtl_setQueryLimit(GTLogHdl h, uint64_t nodesHeldMax);

/* ---- inline checks before calls at nodes --------------------------------------------------------------------
 *
 * If there is no handle, or logging is switched off, a call at a node does not reach the library. With GTL_NO_INLINE
 * defined, every call does. */
#ifndef GTL_NO_INLINE
static inline int gtl_enterNodeInline(GTLogHdl h, int64_t move)
{
    return !h ? GTL_ERROR_ARGUMENT : h->isQuiet ? GTL_OK : gtl_enterNode(h, move);
}
static inline int gtl_enterNodeDataInline(GTLogHdl h, int64_t move, const void *data)
{
    return !h ? GTL_ERROR_ARGUMENT : h->isQuiet ? GTL_OK : gtl_enterNodeData(h, move, data);
}
static inline int gtl_exitNodeInline(GTLogHdl h, const void *data)
{
    return !h ? GTL_ERROR_ARGUMENT : h->isQuiet ? GTL_OK : gtl_exitNode(h, data);
}
#define gtl_enterNode gtl_enterNodeInline
#define gtl_enterNodeData gtl_enterNodeDataInline
#define gtl_exitNode gtl_exitNodeInline
#endif

#ifdef __cplusplus
}
#endif

#else /* GTL_OFF: the same functions, which do nothing */

static inline GTLogHdl gtl_create(const GTDataDescript *descript, const char *filename)
{
    (void)descript; (void)filename;
    return (GTLogHdl)(uintptr_t)1; /* not NULL, so that no engine takes it for an error; never dereferenced */
}
static inline GTLogHdl gtl_share(GTLogHdl h) { return h; }
static inline int gtl_delete(GTLogHdl h) { (void)h; return GTL_OK; }
static inline const char *gtl_lastError(GTLogHdl h) { (void)h; return ""; }
static inline const char *gtl_version(void) { return GTL_VERSION; }
static inline int gtl_open(GTLogHdl h, const char *filename) { (void)h; (void)filename; return GTL_OK; }
static inline int gtl_setReplace(GTLogHdl h, int replace) { (void)h; (void)replace; return GTL_OK; }
static inline int gtl_setAppend(GTLogHdl h, int append) { (void)h; (void)append; return GTL_OK; }
static inline int gtl_close(GTLogHdl h) { (void)h; return GTL_OK; }
static inline int gtl_setLogMeta(GTLogHdl h, const char *key, const char *value)
{
    (void)h; (void)key; (void)value;
    return GTL_OK;
}
static inline int gtl_openTree(GTLogHdl h, const GTMeta *meta, size_t count)
{
    (void)h; (void)meta; (void)count;
    return GTL_OK;
}
static inline int gtl_closeTree(GTLogHdl h) { (void)h; return GTL_OK; }
static inline int gtl_abandonTree(GTLogHdl h) { (void)h; return GTL_OK; }
static inline int gtl_setMeta(GTLogHdl h, const char *key, const char *value)
{
    (void)h; (void)key; (void)value;
    return GTL_OK;
}
static inline int gtl_setMetaInt(GTLogHdl h, const char *key, int64_t value)
{
    (void)h; (void)key; (void)value;
    return GTL_OK;
}
static inline int gtl_enterNode(GTLogHdl h, int64_t move) { (void)h; (void)move; return GTL_OK; }
static inline int gtl_enterNodeData(GTLogHdl h, int64_t move, const void *data)
{
    (void)h; (void)move; (void)data;
    return GTL_OK;
}
static inline int gtl_exitNode(GTLogHdl h, const void *data) { (void)h; (void)data; return GTL_OK; }
static inline int gtl_nameMove(GTLogHdl h, int64_t move, const char *name)
{
    (void)h; (void)move; (void)name;
    return GTL_OK;
}
static inline int64_t gtl_addNode(GTLogHdl h, int64_t parent, int64_t move, const void *data)
{
    (void)h; (void)parent; (void)move; (void)data;
    return 0;
}
static inline int gtl_setNode(GTLogHdl h, int64_t node, const void *data)
{
    (void)h; (void)node; (void)data;
    return GTL_OK;
}
static inline int gtl_flush(GTLogHdl h) { (void)h; return GTL_OK; }
static inline int gtl_setEnabled(GTLogHdl h, int enabled) { (void)h; (void)enabled; return GTL_OK; }
static inline int gtl_isOn(GTLogHdl h) { (void)h; return 0; }
static inline int gtl_setFlush(GTLogHdl h, uint64_t nodesMax, uint64_t timeMsMax)
{
    (void)h; (void)nodesMax; (void)timeMsMax;
    return GTL_OK;
}
static inline int gtl_setBackground(GTLogHdl h, int background) { (void)h; (void)background; return GTL_OK; }
static inline int gtl_setBudget(GTLogHdl h, uint64_t nodesMax, uint64_t bytesMax)
{
    (void)h; (void)nodesMax; (void)bytesMax;
    return GTL_OK;
}
static inline int gtl_setTriggerLine(GTLogHdl h, const int64_t *moves, size_t count, int once)
{
    (void)h; (void)moves; (void)count; (void)once;
    return GTL_OK;
}
static inline int gtl_setTriggerCallback(GTLogHdl h, GTTriggerFn function, void *context, int once)
{
    (void)h; (void)function; (void)context; (void)once;
    return GTL_OK;
}
static inline int gtl_clearTrigger(GTLogHdl h) { (void)h; return GTL_OK; }
static inline int gtl_attachQuery(GTLogHdl h, const char *text) { (void)h; (void)text; return GTL_OK; }
static inline int gtl_detachQueries(GTLogHdl h) { (void)h; return GTL_OK; }
static inline int64_t gtl_queryCount(GTLogHdl h, size_t query) { (void)h; (void)query; return 0; }
static inline int64_t gtl_queryMatches(GTLogHdl h, size_t query, uint64_t *buffer, size_t capacity)
{
    (void)h; (void)query; (void)buffer; (void)capacity;
    return 0;
}
static inline int gtl_setQueryCallback(GTLogHdl h, GTQueryFn callback, void *user)
{
    (void)h; (void)callback; (void)user;
    return GTL_OK;
}
static inline int gtl_setQueryLimit(GTLogHdl h, uint64_t nodesHeldMax)
{
    (void)h; (void)nodesHeldMax;
    return GTL_OK;
}

#endif /* GTL_OFF */

#ifdef __cplusplus
#include <type_traits>

/* What GTL_FIELD uses to find the type of a field. */
namespace gtl_detail {
template <typename T, bool isEnum = std::is_enum<T>::value> struct Plain { typedef T type; };
template <typename T> struct Plain<T, true> { typedef typename std::underlying_type<T>::type type; };

template <typename Field> struct TypeOf {
    typedef typename Plain<typename std::remove_cv<Field>::type>::type T;
    static constexpr bool isText = std::is_same<T, const char *>::value || std::is_same<T, char *>::value;
    static constexpr bool isFloat = std::is_same<T, float>::value || std::is_same<T, double>::value;
    static_assert(std::is_integral<T>::value || isFloat || isText,
                  "a field of this type cannot be logged: integers, float, double, bool, enums and const char * can");
    static constexpr int value = std::is_same<T, bool>::value ? GTL_BOOL
                               : isText                       ? GTL_TEXT
                               : isFloat                      ? GTL_FLOAT
                               : std::is_unsigned<T>::value   ? GTL_UINT
                                                              : GTL_INT;
};
} // namespace gtl_detail
#endif

#endif /* GT_LOG_H */
