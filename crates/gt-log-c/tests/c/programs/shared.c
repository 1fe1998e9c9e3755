/* One log, many threads: each has a handle that gtl_share made, and trees of its own. */
#include <pthread.h>
#include <stddef.h>
#include "check.h"

enum { THREADS = 6, TREES = 4 };

static const GTDataDescript descript =
  { "shared", sizeof(int), 0, { { NULL, 0 } }, 1, { { "thread", 0, sizeof(int), GTL_INT } } };

typedef struct {
    GTLogHdl h;
    int thread;
} Part;

static void search(Part *part, int depth)
{
    int i;

    CHECK(gtl_enterNode(part->h, depth) == GTL_OK, part->h);
    for (i = 0; i < 3 && depth > 0; i++)
        search(part, depth - 1);
    CHECK(gtl_exitNode(part->h, &part->thread) == GTL_OK, part->h);
}

static void *run(void *argument)
{
    Part *part = argument;
    int tree;

    for (tree = 0; tree < TREES; tree++) {
        CHECK(gtl_openTree(part->h, NULL, 0) == GTL_OK, part->h);
        CHECK(gtl_setMetaInt(part->h, "thread", part->thread) == GTL_OK, part->h);
        search(part, 6);
        CHECK(gtl_closeTree(part->h) == GTL_OK, part->h);
    }
    CHECK(gtl_delete(part->h) == GTL_OK, NULL);
    return NULL;
}

/* Logs to `name` with all threads at once. */
static void log_to(const char *name)
{
    pthread_t threads[THREADS];
    Part parts[THREADS];
    GTLogHdl h = gtl_create(&descript, NULL);
    int i;

    CHECK(h != NULL && gtl_share(h) == NULL && strstr(gtl_lastError(NULL), "no file is open") != NULL, h);
    CHECK(gtl_setLogMeta(h, "engine", "before") == GTL_OK && gtl_open(h, name) == GTL_OK, h);
    CHECK(gtl_setFlush(h, 100, 0) == GTL_OK, h);
    for (i = 0; i < THREADS; i++) {
        parts[i].thread = i;
        parts[i].h = i == 0 ? h : gtl_share(h);
        CHECK(parts[i].h != NULL, NULL);
        CHECK(gtl_setBackground(parts[i].h, i % 2) == GTL_OK, parts[i].h);
    }
    if (strchr(name, '%') == NULL)
        REFUSED(gtl_setLogMeta(h, "engine", "late"), GTL_ERROR_ORDER, "before gtl_share", h);
    for (i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, run, &parts[i]) == 0, NULL);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    CHECK(gtl_share(NULL) == NULL && strstr(gtl_lastError(NULL), "NULL") != NULL, NULL);
    log_to("shared.gtf");
    log_to("tree-%d.gtf");
    return 0;
}
