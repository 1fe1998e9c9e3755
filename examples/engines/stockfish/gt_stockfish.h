// search and qsearch of Stockfish, logged: each enters a node, calls the engine's own function, and leaves the node with its value.
// Included where those are defined, inside their namespaces. GT_MEMBER is their class, in versions where they have one.
// Older versions tell qsearch how deep in quiescence it is.
#if GT_PARAMETERS_qsearch == 5
#define GT_QDEPTH_PARAMETER , Depth depth
#define GT_QDEPTH , depth
#else
#define GT_QDEPTH_PARAMETER
#define GT_QDEPTH
#endif

#ifdef GT_MEMBER
#define GT_OF GT_MEMBER::
#define GT_CALL this->
#define GT_ROOT_DEPTH this->rootDepth
#else
#define GT_OF
#define GT_CALL
#define GT_ROOT_DEPTH pos.this_thread()->rootDepth

template <NodeType nodeType> Value gtInner_search(Position &pos, Stack *ss, Value alpha, Value beta, Depth depth, bool cutNode);
template <NodeType nodeType> Value gtInner_qsearch(Position &pos, Stack *ss, Value alpha, Value beta GT_QDEPTH_PARAMETER);
#endif

enum : int { GT_NO_MOVE = 0, GT_NULL_MOVE = 65 };

template <typename MoveType> inline int gtBits(MoveType move)
{
#ifdef GT_MEMBER
    return move.raw();
#else
    return static_cast<int>(move);
#endif
}

// How logs write moves, from how Stockfish does: to, from << 6, promotion << 12, kind << 14; it castles by taking its rook.
template <typename MoveType> inline int gtMove(MoveType move)
{
    const int bits = gtBits(move);
    if (bits == GT_NULL_MOVE)
        return gtEngine::NULL_MOVE_CODE;
    if (bits == GT_NO_MOVE)
        return 0;
    int to = bits & 63, from = (bits >> 6) & 63;
    const int kind = (bits >> 14) & 3, promotion = kind == 1 ? ((bits >> 12) & 3) + 1 : 0;
    if (kind == 3)
        to = (from & 56) | (to > from ? 6 : 2);
    return from | to << 6 | promotion << 12;
}

// Whether the table had the position. Versions whose search is a member keep that; in others what the table says is noted on its way.
#ifdef GT_MEMBER
inline bool gtTableHit(const gtEngine::Entered &, const Stack *ss) { return ss->ttHit; }
#else
class GtAsked {
public:
    explicit GtAsked(bool &found) : found_(found) {}
    ~GtAsked() { gtEngine::thread().asks(found_); }
    operator bool &() { return found_; }

private:
    bool &found_;
};
// From here on `TT.probe(key, found)` is `TT.probe(key, GtAsked(found))`.
#define probe(key, found) probe(key, GtAsked(found))
inline bool gtTableHit(const gtEngine::Entered &node, const Stack *) { return node.hasFound(); }
#endif

template <NodeType nodeType>
Value GT_OF search(Position &pos, Stack *ss, Value alpha, Value beta, Depth depth, bool cutNode)
{
    // At the horizon the engine's search is qsearch, which is a node of its own.
    if (depth <= 0 && ss->ply > 0)
        return GT_CALL gtInner_search<nodeType>(pos, ss, alpha, beta, depth, cutNode);
    gtEngine::Thread &thread = gtEngine::thread();
    if (!thread.isOn())
        return GT_CALL gtInner_search<nodeType>(pos, ss, alpha, beta, depth, cutNode);
    if (ss->ply == 0) {
        gt::Tree tree(thread.log);
        // The iteration's depth: after a value above the window the engine searches the root less deep.
        tree.meta("nominal_depth", static_cast<int64_t>(GT_ROOT_DEPTH));
        tree.meta("position", pos.fen().c_str());
        gtEngine::Entered node(thread, 0, depth, alpha, beta, gtEngine::PV_NODE);
        Value value = GT_CALL gtInner_search<nodeType>(pos, ss, alpha, beta, depth, cutNode);
        node.leave(value, ss->moveCount, gtTableHit(node, ss));
        tree.meta("value", static_cast<int64_t>(value));
        return value;
    }
    int move = gtMove((ss - 1)->currentMove);
    int type = nodeType != NonPV ? gtEngine::PV_NODE : cutNode ? gtEngine::CUT_NODE : gtEngine::ALL_NODE;
    type |= move == gtEngine::NULL_MOVE_CODE ? gtEngine::NULL_MOVE : 0;
    type |= gtBits(ss->excludedMove) != GT_NO_MOVE ? gtEngine::EXCLUDED : 0;
    gtEngine::Entered node(thread, move, depth, alpha, beta, type);
    Value value = GT_CALL gtInner_search<nodeType>(pos, ss, alpha, beta, depth, cutNode);
    node.leave(value, ss->moveCount, gtTableHit(node, ss));
    return value;
}

template <NodeType nodeType>
Value GT_OF qsearch(Position &pos, Stack *ss, Value alpha, Value beta GT_QDEPTH_PARAMETER)
{
    gtEngine::Thread &thread = gtEngine::thread();
    if (!thread.isOn() || !thread.isInTree())
        return GT_CALL gtInner_qsearch<nodeType>(pos, ss, alpha, beta GT_QDEPTH);
    int move = gtMove((ss - 1)->currentMove);
    int type = nodeType != NonPV ? gtEngine::PV_NODE : 0;
    type |= thread.quiescence > 0 ? gtEngine::Q_NODE : gtEngine::Q_ROOT;
    gtEngine::Entered node(thread, move, -thread.quiescence, alpha, beta, type);
    thread.quiescence++;
    Value value = GT_CALL gtInner_qsearch<nodeType>(pos, ss, alpha, beta GT_QDEPTH);
    thread.quiescence--;
    node.leave(value, 0, gtTableHit(node, ss));
    return value;
}
