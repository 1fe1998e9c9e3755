// What the engines here have in common: the record of a node, the log, and the moves that are being searched.
#ifndef GT_ENGINE_HPP
#define GT_ENGINE_HPP

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "gt_log.hpp"

namespace gtEngine {

enum Type : int {
    PV_NODE = 1, CUT_NODE = 2, ALL_NODE = 4, Q_NODE = 8, Q_ROOT = 16, RESEARCH = 32, NULL_MOVE = 64, EXCLUDED = 128
};

// How a null move is written; ordinary ones are from | to << 6 | promotion << 12, with 1 to 4 for a knight to a queen.
enum : int { NULL_MOVE_CODE = 65535, PLIES_MAX = 512 };

// The fields lie without gaps, and those known at entry first: the log copies them in two pieces.
struct Data {
    int alpha, beta;
    short depth;     // plies that remain
    unsigned char type;
    unsigned char moves;
    int best;        // what was returned
    bool table_hit;
};

inline const gt::Record<Data> &record()
{
    static const gt::Record<Data> record("chess",
        { GTL_FIELD_AT_ENTRY(Data, alpha), GTL_FIELD_AT_ENTRY(Data, beta), GTL_FIELD_AT_ENTRY(Data, depth),
          GTL_FIELD_AT_ENTRY(Data, type), GTL_FIELD(Data, moves), GTL_FIELD(Data, best), GTL_FIELD(Data, table_hit) },
        { { "type:PVNode", PV_NODE }, { "type:CutNode", CUT_NODE }, { "type:AllNode", ALL_NODE }, { "type:QNode", Q_NODE },
          { "type:QRootNode", Q_ROOT }, { "type:ResearchNode", RESEARCH }, { "type:NullMove", NULL_MOVE },
          { "type:Excluded", EXCLUDED } });
    return record;
}

// GT_LOG names the file; without it nothing is logged. GT_BACKGROUND=1 lets a thread of the log's own do the encoding.
inline gt::Log<Data> &mainLog()
{
    static gt::Log<Data> log = [] {
        const char *file = std::getenv("GT_LOG");
        if (!file)
            return gt::Log<Data>();
        gt::Log<Data> made(record());
        gtl_setReplace(made.handle(), 1);
        const char *background = std::getenv("GT_BACKGROUND");
        gtl_setBackground(made.handle(), background && *background == '1');
        if (!made.open(file))
            std::fprintf(stderr, "not logged: %s\n", made.error().c_str());
        gtl_setLogMeta(made.handle(), "engine", GT_ENGINE_NAME);
        return made;
    }();
    return log;
}

// What is known of an open node, beside its record.
struct Open {
    enum : int { NO_MOVE = -1 };
    int lastChild = NO_MOVE; // the move that was searched last below it
    bool hasAsked = false;   // whether the engine has asked its table for the position,
    bool hasFound = false;   // and found it, the first time
};

// One thread's part of the log, and the way it has gone.
struct Thread {
    gt::Log<Data> log;
    int ply = -1;                  // of the node that was entered last
    int quiescence = 0;            // how many of the open nodes are in quiescence
    int height = 0;                // for engines that say it: the moves made from the root to the open node
    int moves[PLIES_MAX + 1] = {}; // and those moves, by the height that they lead to
    Open open[PLIES_MAX + 1];      // by ply; nodes below share the last

    Thread()
    {
        static std::mutex lock;
        std::lock_guard<std::mutex> guard(lock);
        if (mainLog())
            log = mainLog().share();
    }

    bool isOn() const { return static_cast<bool>(log); }

    // A move is about to be made at the open node.
    void makes(int move)
    {
        if (height < PLIES_MAX)
            moves[height + 1] = move;
    }

    bool isInTree() const { return ply >= 0; }
    Open &last() { return open[ply < PLIES_MAX ? ply : PLIES_MAX]; }

    // The engine has asked its table for the position of the open node.
    void asks(bool found)
    {
        if (isInTree() && !last().hasAsked) {
            last().hasAsked = true;
            last().hasFound = found;
        }
    }

    // A search that ended by longjmp has left its nodes open.
    void startsAnew()
    {
        if (ply >= 0)
            gtl_abandonTree(log.handle());
        ply = -1;
        quiescence = height = 0;
    }
};

#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
inline Thread *makeThread()
{
    static thread_local Thread thread;
    return &thread;
}

inline Thread &thread()
{
    // A pointer that begins as null is read at once; a thread_local that is made asks first whether it was.
    static thread_local Thread *made = nullptr;
    if (!made)
        made = makeThread();
    return *made;
}

// A node: from its making to its end. The move is one that led to it; a second search of the same move with an open window says so.
class Entered {
public:
    Entered(Thread &thread, int move, int depth, int alpha, int beta, int type)
        : thread_(thread), node_(thread.log, move, alpha, beta, static_cast<short>(depth), withResearch(thread, move, type))
    {
        ++thread.ply;
        thread.last() = Open();
    }
    ~Entered() { --thread_.ply; }

    int leave(int value, int moves, bool tableHit)
    {
        node_->best = value;
        node_->moves = static_cast<unsigned char>(moves < 255 ? moves : 255);
        node_->table_hit = tableHit;
        return value;
    }

    // Whether the engine's table had the position, where it was noted that it was asked.
    bool hasFound() const { return thread_.last().hasFound; }

private:
    static unsigned char withResearch(Thread &thread, int move, int type)
    {
        if (!thread.isInTree())
            return static_cast<unsigned char>(type);
        const bool isAgain = thread.last().lastChild == move && (type & PV_NODE);
        thread.last().lastChild = move;
        return static_cast<unsigned char>(type | (isAgain ? RESEARCH : 0));
    }

    Thread &thread_;
    gt::Node<Data> node_;
};

} // namespace gtEngine

#endif
