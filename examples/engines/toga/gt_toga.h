// The search functions of Toga II, which are those of Fruit, logged: each enters a node, calls the engine's own function, and leaves the
// node with its value. Included before they are defined.

#include "fen.h"

static int gtInner_full_root(list_t *list, board_t *board, int alpha, int beta, int depth, int height, int search_type, int ThreadId);
static int gtInner_full_search(board_t *board, int alpha, int beta, int depth, int height, mv_t pv[], int node_type, bool extended, int ThreadId);
static int gtInner_full_no_null(board_t *board, int alpha, int beta, int depth, int height, mv_t pv[], int node_type, int trans_move, int *best_move, bool extended, int ThreadId);
static int gtInner_full_quiescence(board_t *board, int alpha, int beta, int depth, int height, mv_t pv[], int ThreadId);

// How logs write moves, from how the engine does: to, from << 6, promotion << 12 where the flags say that it is one.
static int gtMove(int move)
{
    int promotion = MOVE_IS_PROMOTE(move) ? ((move >> 12) & 3) + 1 : 0;
    return ((move >> 6) & 63) | (move & 63) << 6 | promotion << 12;
}

// Before a move is made, it is noted: the functions that search it are not told it. In brackets, a name is not that of the macro.
#define move_do(board, move, undo) (gtEngine::thread().makes(gtMove(move)), (move_do)(board, move, undo))
#define move_do_null(board, undo) (gtEngine::thread().makes(gtEngine::NULL_MOVE_CODE), (move_do_null)(board, undo))

// The height of the open node, for as long as it is open.
class GtHeight {
public:
    explicit GtHeight(int height) : before_(gtEngine::thread().height) { gtEngine::thread().height = height; }
    ~GtHeight() { gtEngine::thread().height = before_; }

private:
    int before_;
};

static int gtType(int node_type)
{
    return node_type == NodePV ? gtEngine::PV_NODE : node_type == NodeCut ? gtEngine::CUT_NODE : gtEngine::ALL_NODE;
}

static int full_root(list_t *list, board_t *board, int alpha, int beta, int depth, int height, int search_type, int ThreadId)
{
    gtEngine::Thread &thread = gtEngine::thread();
    if (!thread.isOn())
        return gtInner_full_root(list, board, alpha, beta, depth, height, search_type, ThreadId);
    thread.startsAnew();
    char fen[256];
    gt::Tree tree(thread.log);
    tree.meta("nominal_depth", static_cast<int64_t>(depth));
    if (board_to_fen(board, fen, sizeof fen))
        tree.meta("position", fen);
    GtHeight at(0);
    gtEngine::Entered node(thread, 0, depth, alpha, beta, gtEngine::PV_NODE);
    int value = gtInner_full_root(list, board, alpha, beta, depth, height, search_type, ThreadId);
    tree.meta("value", static_cast<int64_t>(value));
    return node.leave(value, LIST_SIZE(list), false);
}

static int full_search(board_t *board, int alpha, int beta, int depth, int height, mv_t pv[], int node_type, bool extended, int ThreadId)
{
    gtEngine::Thread &thread = gtEngine::thread();
    // At the horizon it is full_quiescence, which is a node of its own.
    if (!thread.isOn() || depth <= 0 || height > gtEngine::PLIES_MAX)
        return gtInner_full_search(board, alpha, beta, depth, height, pv, node_type, extended, ThreadId);
    int move = thread.moves[height], type = gtType(node_type);
    type |= move == gtEngine::NULL_MOVE_CODE ? gtEngine::NULL_MOVE : 0;
    GtHeight at(height);
    gtEngine::Entered node(thread, move, depth, alpha, beta, type);
    return node.leave(gtInner_full_search(board, alpha, beta, depth, height, pv, node_type, extended, ThreadId), 0, false);
}

static int full_no_null(board_t *board, int alpha, int beta, int depth, int height, mv_t pv[], int node_type, int trans_move, int *best_move, bool extended, int ThreadId)
{
    gtEngine::Thread &thread = gtEngine::thread();
    if (!thread.isOn() || depth <= 0 || height > gtEngine::PLIES_MAX)
        return gtInner_full_no_null(board, alpha, beta, depth, height, pv, node_type, trans_move, best_move, extended, ThreadId);
    GtHeight at(height);
    gtEngine::Entered node(thread, thread.moves[height], depth, alpha, beta, gtType(node_type));
    return node.leave(gtInner_full_no_null(board, alpha, beta, depth, height, pv, node_type, trans_move, best_move, extended, ThreadId), 0, false);
}

static int full_quiescence(board_t *board, int alpha, int beta, int depth, int height, mv_t pv[], int ThreadId)
{
    gtEngine::Thread &thread = gtEngine::thread();
    if (!thread.isOn() || !thread.isInTree() || height > gtEngine::PLIES_MAX)
        return gtInner_full_quiescence(board, alpha, beta, depth, height, pv, ThreadId);
    int type = thread.quiescence > 0 ? gtEngine::Q_NODE : gtEngine::Q_ROOT;
    int move = thread.moves[height];
    type |= move == gtEngine::NULL_MOVE_CODE ? gtEngine::NULL_MOVE : 0;
    GtHeight at(height);
    gtEngine::Entered node(thread, move, depth, alpha, beta, type);
    thread.quiescence++;
    int value = gtInner_full_quiescence(board, alpha, beta, depth, height, pv, ThreadId);
    thread.quiescence--;
    return node.leave(value, 0, false);
}
