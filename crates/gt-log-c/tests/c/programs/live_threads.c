/* A handle with queries for each thread, all at once; every other one has a log, too. */
#include <stddef.h>
#include <pthread.h>
#include "check.h"

enum { THREADS = 8, TREES = 3, DEPTH = 5 };

typedef struct {
    int thread;
    int64_t told;
    GTLogHdl h;
} Worker_t;

static const GTDataDescript descript =
  { "threads", sizeof(int), 0, { { NULL, 0 } }, 1, { { "depth", 0, sizeof(int), GTL_INT } } };

/* The nodes below and at this one. */
static int64_t search(Worker_t *worker, int depth)
{
    int64_t nodes = 1;
    int i;

    CHECK(gtl_enterNode(worker->h, depth) == GTL_OK, worker->h);
    for (i = 0; i < worker->thread % 4 + 1 && depth > 0; i++)
        nodes += search(worker, depth - 1);
    CHECK(gtl_exitNode(worker->h, &depth) == GTL_OK, worker->h);
    return nodes;
}

static void tell(void *user, size_t query, uint64_t nodeId)
{
    Worker_t *worker = (Worker_t *)user;

    (void)nodeId;
    if (query == 1)
        worker->told++;
}

static void *run(void *argument)
{
    Worker_t *worker = (Worker_t *)argument;
    char name[32];
    int tree;

    sprintf(name, "%d.gtf", worker->thread);
    worker->h = gtl_create(&descript, worker->thread % 2 ? name : NULL);
    CHECK(worker->h != NULL, NULL);
    CHECK(gtl_attachQuery(worker->h, "node: count(*)\n\nnode: depth > 0\n\nnode: depth = 0; path: count(depth > 0) > 0") == GTL_OK, worker->h);
    CHECK(gtl_setQueryCallback(worker->h, tell, worker) == GTL_OK, worker->h);
    for (tree = 0; tree < TREES; tree++) {
        int64_t nodes;

        worker->told = 0;
        CHECK(gtl_openTree(worker->h, NULL, 0) == GTL_OK, worker->h);
        nodes = search(worker, DEPTH);
        CHECK(gtl_closeTree(worker->h) == GTL_OK, worker->h);
        CHECK(gtl_queryCount(worker->h, 0) == nodes, worker->h);
        CHECK(gtl_queryCount(worker->h, 1) == worker->told && worker->told > 0, worker->h);
        CHECK(gtl_queryCount(worker->h, 1) + gtl_queryCount(worker->h, 2) == nodes, worker->h);
    }
    CHECK(gtl_delete(worker->h) == GTL_OK, NULL);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    Worker_t workers[THREADS];
    int i;

    memset(workers, 0, sizeof workers);
    for (i = 0; i < THREADS; i++) {
        workers[i].thread = i;
        if (pthread_create(&threads[i], NULL, run, &workers[i]) != 0)
            return 2;
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
