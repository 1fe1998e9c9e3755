// gt_log.hpp as an engine uses it: nodes left by return and by exception, threads, and a log that cannot be made.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>
#include "gt_log.hpp"

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1); \
        } \
    } while (0)

enum class Kind : unsigned char { All, Cut };

struct Data {
    int depth;
    int alpha;
    int best = 0;
    Kind kind = Kind::All;
    bool hit = false;
    void result(int value, Kind k) { best = value; kind = k; }
};

static const gt::Record<Data> record("guard",
    { GTL_FIELD_AT_ENTRY(Data, depth), GTL_FIELD_AT_ENTRY(Data, alpha), GTL_FIELD(Data, best),
      GTL_FIELD(Data, kind), GTL_FIELD(Data, hit) },
    { { "All", 0 }, { "Cut", 1 } });

static int search(const gt::Log<Data> &log, int move, int depth, int alpha)
{
    gt::Node node(log, move, depth, alpha);

    if (depth == 0)
        return node->best = move; // one of many returns
    for (int i = 1; i <= 2; i++) {
        int value = -search(log, i, depth - 1, -alpha);
        if (value < -1)
            return node.result(value, Kind::Cut), value;
    }
    node->hit = true;
    return node.result(100 + depth, Kind::All), 100 + depth;
}

struct Stop : std::runtime_error { Stop() : std::runtime_error("stop") {} };

static void broken_off(const gt::Log<Data> &log)
{
    gt::Tree tree(log, { { "how", "broken off" } });
    gt::Node root(log, 0, 5, -50);
    root.result(77, Kind::All); // known before the exception
    gt::Node node(log, 1, 4, 50);
    throw Stop();
}

int main()
{
    gt::Log<Data> log(record, "guard.gtf");
    CHECK(log && log.isOn() && log.error().empty());
    {
        gt::Tree tree(log, { { "how", "searched" } });
        search(log, 0, 3, -8);
        tree.meta("value", int64_t(103));
    }
    try { broken_off(log); CHECK(false); } catch (const Stop &) {}

    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([i](gt::Log<Data> part) {
            gt::Tree tree(part, { { "how", "in a thread" } });
            search(part, i, 2, i);
        }, log.share());
    for (std::thread &thread : threads)
        thread.join();
    CHECK(log.close() && !log);

    gt::Log<Data> none(record, "missing/guard.gtf");
    CHECK(!none && none.error().find("missing/guard.gtf") != std::string::npos);
    {
        gt::Tree tree(none);
        CHECK(search(none, 0, 2, 0) == 102);
    }
    gt::Log<Data> moved = std::move(none);
    CHECK(!moved && !moved.error().empty() && moved.close());
    return 0;
}
