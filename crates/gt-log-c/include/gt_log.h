/*
 * gt_log.h: logs the tree of a game search, from C and C++.
 *
 *     static GTDataDescript descript =
 *       { "TicTacToe", sizeof(Data_t), 0, {}, 2,
 *         { GTL_FIELD(Data_t, depth), GTL_FIELD(Data_t, best) } };
 *
 *     GTLogHdl h = gtl_create(&descript, "search.gtf");      once; refused where search.gtf is there already
 *     gtl_openTree(h, NULL, 0);                              for each iteration
 *     gtl_enterNode(h, move);   gtl_exitNode(h, &data);      at each node
 *     gtl_closeTree(h);
 *     gtl_delete(h);                                         at the end
 *
 * Queries can be asked of the log, or answered while the engine searches, with or without one:
 *
 *     gtl_attachQuery(h, "node: best > 0; child: count([]best = 0) > 2");
 *     ...                                                    search as above
 *     gtl_queryCount(h, 0)                                   at any time
 *
 * Calls return GTL_OK or one of the negative codes below, and gtl_lastError says in a sentence what was
 * wrong. None of them ends the program: on a NULL handle they return GTL_ERROR_ARGUMENT, a call that does not
 * fit (an exit without its enter) is left out, and when the system refuses to write (a full disk), logging is
 * off from then on. Whatever happens, what is in the file can be read, also after a crash of the engine.
 * An engine may ignore every return value and ask gtl_lastError once, at the end.
 *
 * A handle is used by one thread at a time: from the entering of a root to its leaving by the thread that entered
 * it, else by whoever calls. Any number of handles may be in use at once, each with files of its own or, made by
 * gtl_share, with one file for all. A call from a second thread, on a handle that was deleted, or on one that a fork
 * copied, is refused: GTL_ERROR_ORDER, and gtl_lastError says to that thread what was wrong. (A pointer that no call of
 * this library returned is nothing that could be looked at.)
 *
 * The library sets no signal handlers: under a limit of the file size (RLIMIT_FSIZE), an engine that
 * does not ignore SIGXFSZ is ended by it, as with any other file.
 *
 * gt_read.h beside this header reads logs and asks queries of them.
 *
 * C++ has gt_log.hpp beside this header: guards that leave a node on every return and exception.
 *
 * With GTL_OFF defined before this header is included, every call compiles to nothing, and no library is needed.
 */
#ifndef GT_LOG_H
#define GT_LOG_H

#include <stddef.h>
#include <stdint.h>

#define GTL_VERSION "0.1.0"

/* How many aliases and attributes a descriptor has room for. */
#define GTL_ALIASES_MAX 256
#define GTL_ATTRIBUTES_MAX 256

/* The types of attributes. */
#define GTL_INT   0 /* signed integer of 1, 2, 4 or 8 bytes: also where the type is left out */
#define GTL_UINT  1 /* unsigned integer of 1, 2, 4 or 8 bytes */
#define GTL_FLOAT 2 /* float or double */
#define GTL_BOOL  3 /* true or false, of 1, 2, 4 or 8 bytes; zero is false */
#define GTL_TEXT  4 /* const char *, in UTF-8, at most 65,535 bytes; NULL is the empty text */

/* Added to a type: the attribute is known when a node is entered; see gtl_enterNodeData. */
#define GTL_AT_ENTRY 0x100

/* What calls return. */
#define GTL_OK              0
#define GTL_ERROR_ARGUMENT (-1) /* an argument is NULL, or not what it should be */
#define GTL_ERROR_ORDER    (-2) /* the call does not fit what was called before */
#define GTL_ERROR_WRITE    (-3) /* the file cannot be written, or must not be; logging to it is off */
#define GTL_ERROR_LIMIT    (-4) /* the tree is too deep or too large to be logged whole */
#define GTL_ERROR_INTERNAL (-5) /* a fault of the library; logging is off */
#define GTL_ERROR_QUERY    (-6) /* a query cannot be understood, or has no answer */
#define GTL_ERROR_READ     (-7) /* a log cannot be read, or is damaged: gt_read.h alone */

/* The parent of a root; see gtl_addNode. */
#define GTL_NO_PARENT (-1)

/* How many nodes the queries of a text hold at most, unless gtl_setQueryLimit says otherwise. */
#define GTL_QUERY_NODES_HELD_MAX 1048576

/* A name for a number, for use in queries: `PVNode`, or `type:PVNode` where it names values of the attribute `type`. */
typedef struct GTAlias {
    const char *name;
    int64_t value;
} GTAlias;

/* A field of the record. Names are a letter, then letters, digits and `_`. */
typedef struct GTAttribute {
    const char *name;
    size_t offset; /* offsetof the field */
    size_t size;   /* sizeof the field */
    int type;      /* GTL_INT, GTL_UINT, GTL_FLOAT, GTL_BOOL or GTL_TEXT, with GTL_AT_ENTRY or without */
} GTAttribute;

/* The attribute that a field of a record is: its name, place, size and type, none of them written by hand.
 * GTL_FIELD_AS gives it another name; GTL_FIELD_AT_ENTRY says that it is known when a node is entered. In C these need
 * C11. A field of a type that cannot be logged (an array, a long double) does not compile. */
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

/* What the records hold that gtl_exitNode is given. */
typedef struct GTDataDescript {
    const char *game;
    size_t recordSize; /* sizeof the record */
    size_t aliasCount;
    GTAlias aliases[GTL_ALIASES_MAX];
    size_t attributeCount;
    GTAttribute attributes[GTL_ATTRIBUTES_MAX];
} GTDataDescript;

/* A text about a tree, under a name: { "iteration", "5" }. */
typedef struct GTMeta {
    const char *key;
    const char *value;
} GTMeta;

/* Says, not 0 or 0, whether logging sets in at the node that these moves lead to from the root (none: the
 * root itself). It is called inside gtl_enterNode; it makes no call on its handle, and does not leave by
 * longjmp or an exception. */
typedef int (*GTTriggerFn)(const int64_t *line, size_t count, void *context);

/* Is told a match of an attached query. It is called inside the call that made the match known; it makes no
 * call on its handle, and does not leave by longjmp or an exception. */
typedef void (*GTQueryFn)(void *user, size_t query, uint64_t nodeId);

/* A handle. What it points to is the library's: the field is for the calls below that look at it before they call. */
typedef struct GTLog {
    volatile int32_t isQuiet; /* not 0 where calls at nodes would do nothing */
} *GTLogHdl;

#ifndef GTL_OFF

#ifdef __cplusplus
extern "C" {
#endif

/* ---- handles ---------------------------------------------------------------------------------------------- */

/* Makes a handle for records as described; the descriptor is not needed afterwards. With a file name, opens
 * the file as gtl_open does; with NULL, call gtl_open later, or attach queries and do without. On errors returns NULL, and gtl_lastError(NULL)
 * says why. */
GTLogHdl gtl_create(const GTDataDescript *descript, const char *filename);

/* Makes another handle that logs into the same file (or, of a pattern, into files numbered together), with the same
 * settings, but no queries: for another thread, which has trees of its own. The file is closed when the last of the
 * handles is deleted or opens another. What is said about the whole log is said before. On errors returns NULL, and
 * gtl_lastError(NULL) says why. */
GTLogHdl gtl_share(GTLogHdl h);

/* Closes what is open and ends the handle: every later call is refused. If closing fails, gtl_lastError(NULL) says
 * why. Some hundred bytes stay, so that a late call finds out. */
int gtl_delete(GTLogHdl h);

/* What was wrong last: one sentence (for the text of a query, several lines that show the place), or an empty
 * text; never NULL. It stays until the next error, and the
 * pointer is good until the next call on the handle. With NULL: about this thread's last gtl_create or gtl_share, or a
 * gtl_delete that failed since. On a handle that is not this thread's to use: why not. */
const char *gtl_lastError(GTLogHdl h);

/* The version of the library: GTL_VERSION where header and library fit. */
const char *gtl_version(void);

/* ---- files ------------------------------------------------------------------------------------------------ */

/* Opens a new file; what was open is closed. All trees go to it. A name with %d in it (or %03d, with zeros)
 * stands for a file for each tree: "search-%d.gtf" gives search-1.gtf for the next tree, search-2.gtf for the
 * one after ... %p is the number of the process, %h that of the name given in it, and %t the time (20261116-043000, in
 * UTC), so that threads and runs get files of their own. A file that is there already stays as it is, and GTL_ERROR_WRITE says so, unless gtl_setReplace
 * allows to replace it; of a pattern, that concerns the one tree. A file that another handle or program is
 * writing is refused in any case, and so is one that is write-protected. */
int gtl_open(GTLogHdl h, const char *filename);

/* Says whether the files that are opened from now on replace those of the same name (1) or are refused (0, as
 * at first). An engine that always logs to the same file opens it so:
 *
 *     GTLogHdl h = gtl_create(&descript, NULL);
 *     gtl_setReplace(h, 1);
 *     gtl_open(h, "search.gtf");
 *
 * The old file is gone once the new one has begun. */
int gtl_setReplace(GTLogHdl h, int replace);

/* Says whether trees are added to the files of the same name that are opened from now on (1), or those are refused (0, as
 * at first). The log that is there has to be closed, with the same game, attributes and aliases; what was said about the
 * whole of it stays. The last of gtl_setReplace and gtl_setAppend counts. */
int gtl_setAppend(GTLogHdl h, int append);

/* Closes the tree and the file that are open; nothing to close is no error. */
int gtl_close(GTLogHdl h);

/* Says something about the whole log: engine, version, options. Before its first tree; it holds for the files
 * that this handle opens later, too. */
int gtl_setLogMeta(GTLogHdl h, const char *key, const char *value);

/* ---- trees ------------------------------------------------------------------------------------------------ */

/* Begins a tree, with `count` entries about it (or NULL and 0). A tree that is open is closed first; if that
 * had nodes open the code says so, and the new tree is begun all the same. */
int gtl_openTree(GTLogHdl h, const GTMeta *meta, size_t count);

/* Ends the tree. Nodes still open are an error: they are in the log, marked unfinished. */
int gtl_closeTree(GTLogHdl h);

/* Ends the tree of a search that was broken off: nodes still open are no error here. */
int gtl_abandonTree(GTLogHdl h);

/* Says something about the tree that is open (its value, the time it took: written when it ends), or, where
 * none is, about the next. */
int gtl_setMeta(GTLogHdl h, const char *key, const char *value);
int gtl_setMetaInt(GTLogHdl h, const char *key, int64_t value);

/* ---- nodes ------------------------------------------------------------------------------------------------ */

/* The search goes down a move; for the root any number. Where no tree is open, begins one. */
int gtl_enterNode(GTLogHdl h, int64_t move);

/* The same, with what is known of the node already: of the record at `data`, the attributes whose type has GTL_AT_ENTRY
 * are read, the others need not be set. A node that is left with a record has that record's values; one that is left
 * with NULL, or never left, keeps what it was entered with, and lacks the rest. */
int gtl_enterNodeData(GTLogHdl h, int64_t move, const void *data);

/* The search leaves the node it entered last; `data` is a record as described. With NULL its attributes are
 * not known (but for what gtl_enterNodeData was given), and the node is marked unfinished. */
int gtl_exitNode(GTLogHdl h, const void *data);

/* Names a move, for a game that GT-Tools does not know: where the move is shown, its name is. Each number once is enough; a name given
 * later replaces the one before. Names go to the file with the next tree, or when it is closed. */
int gtl_nameMove(GTLogHdl h, int64_t move, const char *name);

/* For trees that are not searched depth-first (A*, proof numbers, Monte Carlo): adds a node below the one with the number
 * `parent`, or the root with GTL_NO_PARENT, and returns the new node's number, from 0 in the order of adding; or a negative code. The
 * record may be NULL: its attributes are then not known. Children keep the order in which they are added.
 *
 * Such a tree is held in memory, and written when it is closed: a crash before loses it. In the log, nodes are numbered in
 * preorder as in every tree; an engine that wants the order of adding puts a counter into its record. A tree is either made by
 * these calls or by gtl_enterNode and gtl_exitNode, and attached queries refuse these. While logging is off, the number is 0. */
int64_t gtl_addNode(GTLogHdl h, int64_t parent, int64_t move, const void *data);

/* Gives a node that gtl_addNode added other values, as long as the tree is open. */
int gtl_setNode(GTLogHdl h, int64_t node, const void *data);

/* Sends what was logged to the file now. */
int gtl_flush(GTLogHdl h);

/* ---- settings: for the trees begun from now on ------------------------------------------------------------ */

/* Switches logging off (0) or on. Calls at nodes then cost a few branches, and no file is made. Attached
 * queries are answered all the same. */
int gtl_setEnabled(GTLogHdl h, int enabled);

/* 1 if nodes are being logged or queries answered, or would be if a tree began now; else 0: then nobody reads
 * the records. */
int gtl_isOn(GTLogHdl h);

/* When nodes go to the file: after so many nodes (0: 32,768), or so many milliseconds (0: never by time)
 * since the last time. Without this call, 32,768 nodes and 1,000 ms. */
int gtl_setFlush(GTLogHdl h, uint64_t nodesMax, uint64_t timeMsMax);

/* Says whether a thread of the tree's own encodes and writes full blocks (1), so that the search only copies its
 * records, or the search does it itself (0, as at first). It takes some 3 MB a tree, and is of use where a core is free.
 * The end of a tree does not wait for the thread then: the rest is written while the engine goes on; gtl_flush, gtl_close
 * and the end of the process wait for it. An error that comes up is told by the next tree, gtl_flush or gtl_close. */
int gtl_setBackground(GTLogHdl h, int background);

/* At most so many nodes of a tree, and about so many bytes of file; 0 for no limit. Beyond, subtrees are left
 * out, and the node above says how many nodes it stands for. */
int gtl_setBudget(GTLogHdl h, uint64_t nodesMax, uint64_t bytesMax);

/* Logs only the subtree at the end of this line of moves from the root, and the path to it; once: only the
 * first time that a tree comes there. What is left out is counted. */
int gtl_setTriggerLine(GTLogHdl h, const int64_t *moves, size_t count, int once);

/* Logs, on every line, only the subtree of the first node for which the function says so. */
int gtl_setTriggerCallback(GTLogHdl h, GTTriggerFn function, void *context, int once);

/* Logs everything again. */
int gtl_clearTrigger(GTLogHdl h);

/* ---- queries: answered while the engine searches ------------------------------------------------------------
 *
 * A query is written in GTQL and names the attributes and aliases of the descriptor. It sees every node of the
 * search, also those that a trigger or a budget leaves out of the log, that a full disk loses, or that are
 * searched while logging is off or no file is open. Nodes are numbered as they are entered, the root 0: these
 * are the node_ids of a log of the whole tree. A node left with NULL, or still open when its tree ends, is
 * unfinished, and its attributes are unknown, as in the log.
 *
 * Each tree starts all queries anew. The answers of a tree can be read while it grows and after it has ended,
 * until the next begins. A match is told as soon as what the query reads is known:
 *
 *     the query reads                            a match is told               and in memory are held
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
 * `twin` is refused: it looks at nodes anywhere in the tree, so the whole tree would have to be held.
 *
 * A node that is held takes about a kilobyte, more where there are many queries; a match that is kept, 8 bytes.
 * A node costs the search one to six microseconds, by what is asked; without queries, a branch in each call. */

/* Attaches the queries in `text`: one or several, a blank line between two. They are numbered from 0 as they
 * stand there, after those attached before, and begin with the next tree. A parameter `$x` is what the metadata
 * say: the tree's as far as they are set when it begins, or else those set with gtl_setMeta when the queries
 * were attached, or else the log's. On errors attaches nothing: GTL_ERROR_QUERY, and gtl_lastError shows each
 * error in its line. The rows of `select`, the groups of `group by` and a value (`node: max(x)`) are known when the
 * tree has ended: gtl_queryAnswer in gt_read.h gives them. */
int gtl_attachQuery(GTLogHdl h, const char *text);

/* Removes all queries, their answers and the callback. */
int gtl_detachQueries(GTLogHdl h);

/* How many nodes match the query so far, or in the tree that ended last; `limit` does not limit it. Negative
 * codes: GTL_ERROR_ARGUMENT where there is no such query; GTL_ERROR_QUERY where arithmetic left the 64-bit
 * integers, which is known, and returned by gtl_closeTree, when the tree ends; GTL_ERROR_LIMIT where too many
 * nodes would have been held. */
int64_t gtl_queryCount(GTLogHdl h, size_t query);

/* Copies the node_ids of the matches to `buffer`, at most `capacity` of them (NULL and 0: none), and returns
 * how many there are, or a negative code as gtl_queryCount does. While the tree grows they are in the order in
 * which they were told; when it has ended, ascending, or as `order by` and `limit` have it, which are answered
 * only then. `node: count(...)` keeps none. */
int64_t gtl_queryMatches(GTLogHdl h, size_t query, uint64_t *buffer, size_t capacity);

/* Has each match of any query told to the function, with `user`, from now on (NULL: none). Matches come when
 * they are known (see above), those known at once in the order of their node_ids, query by query; the last
 * may come inside the call that ends the tree. */
int gtl_setQueryCallback(GTLogHdl h, GTQueryFn callback, void *user);

/* The queries of a text hold at most so many nodes, in the trees begun from now on; 0 for no limit. Beyond,
 * gtl_enterNode returns GTL_ERROR_LIMIT once, and they have no answers in this tree; the log goes on. */
int gtl_setQueryLimit(GTLogHdl h, uint64_t nodesHeldMax);

/* ---- calls at nodes, looked at first ------------------------------------------------------------------------
 *
 * Where there is no handle, or logging is switched off, a call at a node is not made at all. With GTL_NO_INLINE
 * defined, every call is a call. */
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

#else /* GTL_OFF: the same calls, doing nothing */

static inline GTLogHdl gtl_create(const GTDataDescript *descript, const char *filename)
{
    (void)descript; (void)filename;
    return (GTLogHdl)(uintptr_t)1; /* not NULL, so that no engine takes it for an error; never looked at */
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

/* What GTL_FIELD looks up. */
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
