// A search whose code must not depend on whether its guards are compiled out or were never there.
#ifdef NEVER_THERE
  #define LOG(code)
#else
  #define GTL_OFF
  #include "gt_log.hpp"
  #define LOG(code) code

struct Data {
    int depth, alpha;
    int best = 0;
    void result(int value) { best = value; }
};
extern gt::Log<Data> theLog;
#endif

int work(int depth);

// How often a function is inlined into itself depends on how large it seemed at first.
__attribute__((noinline)) int search(int depth, int move)
{
    LOG(gt::Node node(theLog, move, depth, -1);)
    int best = -1;

    if (depth == 0) {
        LOG(node->best = move;)
        return move;
    }
    for (int i = 0; i < move; i++) {
        int value = -search(depth - 1, work(i));
        if (value > best)
            best = value;
        if (best > 99) {
            LOG(node.result(best);)
            return best;
        }
    }
    LOG(node.result(best);)
    return best;
}

int iterate(int depth)
{
    LOG(gt::Tree tree(theLog, { { "how", "off" } });)
    int value = search(depth, 3);
    LOG(tree.meta("value", int64_t(value));)
    return value;
}
