/* A search whose code must not depend on whether its calls are compiled out or were never there. */
#include <stddef.h>

#ifdef NEVER_THERE
  #define LOG(call)
#else
  #define GTL_OFF
  #include "gt_log.h"
  #define LOG(call) call

static const GTDataDescript descript =
  { "off", sizeof(int), 0, { { NULL, 0 } }, 1, { { "best", 0, sizeof(int), GTL_INT } } };
static GTLogHdl h;
#endif

int work(int depth);

int search(int depth, int move)
{
    int best = -1, i, value;

    LOG(gtl_enterNode(h, move));
    for (i = 0; i < move && depth > 0; i++) {
        value = -search(depth - 1, work(i));
        if (value > best)
            best = value;
    }
    LOG(gtl_exitNode(h, &best));
    return best;
}

int run(int depth)
{
    int value;

    LOG(h = gtl_create(&descript, "off.gtf"));
    LOG(gtl_setLogMeta(h, "engine", "off"));
    LOG(gtl_setFlush(h, 1, 1));
    LOG(gtl_setBudget(h, 1, 1));
    LOG(gtl_setTriggerLine(h, NULL, 0, 0));
    LOG(gtl_setTriggerCallback(h, NULL, NULL, 0));
    LOG(gtl_clearTrigger(h));
    LOG(gtl_attachQuery(h, "node: best > 0"));
    LOG(gtl_setQueryCallback(h, NULL, NULL));
    LOG(gtl_setQueryLimit(h, 1));
    LOG(gtl_setEnabled(h, 1));
    LOG(gtl_setReplace(h, 1));
    LOG(gtl_setAppend(h, 1));
    LOG(gtl_setBackground(h, 1));
    LOG(gtl_open(h, "other.gtf"));
    LOG(gtl_openTree(h, NULL, 0));
    LOG(gtl_setMeta(h, "a", "b"));
    LOG(gtl_setMetaInt(h, "a", 1));
    value = search(depth, 3);
    LOG(gtl_flush(h));
    LOG(if (gtl_queryCount(h, 0) > 0) value++);
    LOG(if (gtl_queryMatches(h, 0, NULL, 0) > 0) value++);
    LOG(gtl_detachQueries(h));
    LOG(if (gtl_isOn(h)) value++);
    LOG(gtl_closeTree(h));
    LOG(gtl_abandonTree(h));
    LOG(if (*gtl_lastError(h)) value++);
    LOG(gtl_close(h));
    LOG(if (gtl_delete(h) != GTL_OK) value++);
    return value;
}
