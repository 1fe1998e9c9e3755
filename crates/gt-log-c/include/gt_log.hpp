/*
 * gt_log.hpp: logs the tree of a game search, from C++17. Header only, over gt_log.h.
 *
 *     struct Data {
 *         int depth, alpha, beta;                                known at entry to a node
 *         int best = 0;
 *         NodeType type = NodeType::All;
 *         void result(int value, NodeType t) { best = value; type = t; }
 *     };
 *
 *     const gt::Record<Data> record("chess",                     once; no offset, size or sign written by hand
 *         { GTL_FIELD_AT_ENTRY(Data, depth), GTL_FIELD_AT_ENTRY(Data, alpha), GTL_FIELD_AT_ENTRY(Data, beta),
 *           GTL_FIELD(Data, best), GTL_FIELD(Data, type) },
 *         { { "All", 0 }, { "Cut", 1 }, { "PV", 2 } });
 *
 *     gt::Log<Data> log(record, "search.gtf");                   one for each thread: log.share()
 *     gt::Tree tree(log, { { "nominal_depth", "9" } });          for each iteration
 *
 *     int search(..., int depth, int alpha, int beta)
 *     {
 *         gt::Node node(log, move, depth, alpha, beta);          left on every return, and by an exception
 *         ...
 *         return node.result(value, NodeType::Cut), value;       or: node->best = value;
 *     }
 *
 * A node that an exception leaves before it has a result is marked unfinished; it keeps the values from its entry.
 * longjmp runs no destructors: an engine that leaves its search by longjmp calls tree.abandon(), or lets the guard of the
 * tree end it. The log then has the nodes that were open, marked unfinished.
 *
 * Nothing here throws. A log that could not be made says so (`if (!log)`, log.error()), and logs nothing.
 * With GTL_OFF defined, everything here compiles to nothing.
 */
#ifndef GT_LOG_HPP
#define GT_LOG_HPP

#include <exception>
#include <initializer_list>
#include <string>
#include <utility>

#include "gt_log.h"

namespace gt {

namespace detail {
/* Tells whether an exception is in flight that was not in flight when this object was made. */
class Unwinding {
#if !defined(GTL_OFF) && defined(__cpp_exceptions)
public:
    bool isNow() const { return std::uncaught_exceptions() > before_; }

private:
    int before_ = std::uncaught_exceptions();
#else
public:
    bool isNow() const { return false; }
#endif
};
} // namespace detail

/* Describes the records of nodes: a name for the game, the fields, and names for numbers. */
template <typename Data> class Record {
public:
    Record(const char *game, std::initializer_list<GTAttribute> fields, std::initializer_list<GTAlias> aliases = {})
    {
        descript_.game = game;
        descript_.recordSize = sizeof(Data);
        for (const GTAlias &alias : aliases)
            if (descript_.aliasCount < GTL_ALIASES_MAX)
                descript_.aliases[descript_.aliasCount++] = alias;
        for (const GTAttribute &field : fields)
            if (descript_.attributeCount < GTL_ATTRIBUTES_MAX)
                descript_.attributes[descript_.attributeCount++] = field;
        /* If there are too many, the library refuses them with its own message. */
        if (aliases.size() > GTL_ALIASES_MAX)
            descript_.aliasCount = aliases.size();
        if (fields.size() > GTL_ATTRIBUTES_MAX)
            descript_.attributeCount = fields.size();
    }

    const GTDataDescript &descript() const { return descript_; }

private:
    GTDataDescript descript_ = {};
};

/* A log, or one thread's part of it. It can be moved, but not copied. */
template <typename Data> class Log {
public:
    /* Makes no log: nothing is logged. */
    Log() = default;

    /* Logs to a new file; without a name, open() names the file later. */
    explicit Log(const Record<Data> &record, const char *filename = nullptr)
        : handle_(gtl_create(&record.descript(), filename))
    {
        if (!handle_)
            error_ = gtl_lastError(nullptr);
    }

    Log(Log &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)), error_(std::move(other.error_)) {}
    Log &operator=(Log &&other) noexcept
    {
        if (this != &other) {
            close();
            handle_ = std::exchange(other.handle_, nullptr);
            error_ = std::move(other.error_);
        }
        return *this;
    }
    Log(const Log &) = delete;
    Log &operator=(const Log &) = delete;
    ~Log() { close(); }

    /* Returns another part of the same log, for another thread. */
    Log share() const
    {
        Log shared;
        shared.handle_ = gtl_share(handle_);
        if (!shared.handle_)
            shared.error_ = gtl_lastError(nullptr);
        return shared;
    }

    /* Ends the log, or this part of it; returns false if that failed. */
    bool close()
    {
        GTLogHdl handle = std::exchange(handle_, nullptr);
        if (!handle || gtl_delete(handle) == GTL_OK)
            return true;
        error_ = gtl_lastError(nullptr);
        return false;
    }

    bool open(const char *filename) { return gtl_open(handle_, filename) == GTL_OK; }

    explicit operator bool() const { return handle_ != nullptr; }
    /* Returns whether nodes are being logged. */
    bool isOn() const { return gtl_isOn(handle_) != 0; }
    /* Returns what was wrong last; empty if nothing was. */
    std::string error() const { return handle_ ? std::string(gtl_lastError(handle_)) : error_; }
    /* Returns the handle, for every other call of gt_log.h: settings, queries, metadata. */
    GTLogHdl handle() const { return handle_; }

private:
    GTLogHdl handle_ = nullptr;
    std::string error_;
};

/* A tree: begins here and ends with the scope. If an exception leaves the scope, the search counts as broken off. */
class Tree {
public:
    template <typename Data> explicit Tree(const Log<Data> &log, std::initializer_list<GTMeta> meta = {})
        : handle_(log.handle())
    {
        gtl_openTree(handle_, meta.size() ? meta.begin() : nullptr, meta.size());
    }
    Tree(const Tree &) = delete;
    Tree &operator=(const Tree &) = delete;
    ~Tree()
    {
        if (unwinding_.isNow())
            abandon();
        else
            close();
    }

    /* Sets metadata of the tree: its value, the time it took. */
    void meta(const char *key, const char *value) { gtl_setMeta(handle_, key, value); }
    void meta(const char *key, int64_t value) { gtl_setMetaInt(handle_, key, value); }

    /* Ends the tree; returns false if nodes are still open, which is an error. */
    bool close() { return isOver_ || ((isOver_ = true), gtl_closeTree(handle_) == GTL_OK); }
    /* Ends the tree of a search that was broken off. */
    bool abandon() { return isOver_ || ((isOver_ = true), gtl_abandonTree(handle_) == GTL_OK); }

private:
    GTLogHdl handle_;
    detail::Unwinding unwinding_;
    bool isOver_ = false;
};

/* A node: entered here and left at the end of the scope. It holds a record. */
template <typename Data> class Node {
public:
    /* Enters a node; the values after the move are the first fields of the record. */
    template <typename... Values>
    Node(const Log<Data> &log, int64_t move, Values &&...values)
        : data_{std::forward<Values>(values)...}, handle_(log.handle())
    {
        gtl_enterNodeData(handle_, move, &data_);
    }
    Node(const Node &) = delete;
    Node &operator=(const Node &) = delete;
    ~Node()
    {
        const bool isBrokenOff = !hasResult_ && unwinding_.isNow();
        gtl_exitNode(handle_, isBrokenOff ? nullptr : &data_);
    }

    /* The record, for the search to fill in. */
    Data *operator->() { return &data_; }
    Data &operator*() { return data_; }

    /* Sets the node's result: calls the record's own `result`. */
    template <typename... Values> void result(Values &&...values)
    {
        data_.result(std::forward<Values>(values)...);
        hasResult_ = true;
    }

private:
    Data data_;
    GTLogHdl handle_;
    detail::Unwinding unwinding_;
    bool hasResult_ = false;
};

template <typename Data, typename... Values> Node(const Log<Data> &, int64_t, Values &&...) -> Node<Data>;

} // namespace gt

#endif /* GT_LOG_HPP */
