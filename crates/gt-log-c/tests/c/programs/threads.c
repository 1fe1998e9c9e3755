/* A handle for each thread, all at once; some threads' files cannot be made, and only they hear of it. */
#include <stddef.h>
#include <pthread.h>
#include "check.h"

enum { THREADS = 8, TREES = 5 };

static const GTDataDescript descript =
  { "threads", sizeof(int), 0, { { NULL, 0 } }, 1, { { "thread", 0, sizeof(int), GTL_INT } } };

static void search(GTLogHdl h, int thread, int depth)
{
    int i;

    CHECK(gtl_enterNode(h, depth) == GTL_OK, h);
    for (i = 0; i < thread + 2 && depth > 0; i++)
        search(h, thread, depth - 1);
    CHECK(gtl_exitNode(h, &thread) == GTL_OK, h);
}

static void *run(void *argument)
{
    int thread = *(int *)argument, tree;
    char name[32];
    GTLogHdl h;

    sprintf(name, "missing/%d.gtf", thread);
    CHECK(gtl_create(&descript, name) == NULL, NULL);
    CHECK(strstr(gtl_lastError(NULL), name) != NULL, NULL);
    sprintf(name, "%d.gtf", thread);
    h = gtl_create(&descript, name);
    CHECK(h != NULL && strcmp(gtl_lastError(NULL), "") == 0, NULL);
    CHECK(gtl_setFlush(h, 100, 1) == GTL_OK, h);
    for (tree = 0; tree < TREES; tree++) {
        CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h);
        search(h, thread, 4);
    }
    CHECK(gtl_delete(h) == GTL_OK, NULL);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS], i;

    for (i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, run, &numbers[i]) != 0)
            return 2;
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
