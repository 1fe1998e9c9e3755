/* Threads that come and go: one ends with nodes open, and the next one gets its memory, and with it what tells threads apart. */
/* Barriers are of POSIX, not of C. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdint.h>
#include "check.h"

enum { ROUNDS = 200 };

static const GTDataDescript descript =
  { "reuse", sizeof(int), 0, { { NULL, 0 } }, 1, { { "round", 0, sizeof(int), GTL_INT } } };

static GTLogHdl h;
static int data;
static pthread_barrier_t entered, refused;

/* Enters a root and ends. */
static void *leaves_it_open(void *argument)
{
    CHECK(gtl_enterNode(h, 1) == GTL_OK, h);
    *(uintptr_t *)argument = (uintptr_t)pthread_self();
    return NULL;
}

/* Goes on where that thread ended, and has nodes open while another thread tries. */
static void *goes_on(void *argument)
{
    CHECK(gtl_enterNode(h, 2) == GTL_OK, h);
    pthread_barrier_wait(&entered);
    pthread_barrier_wait(&refused);
    CHECK(gtl_exitNode(h, &data) == GTL_OK, h);
    *(uintptr_t *)argument = (uintptr_t)pthread_self();
    return NULL;
}

static uintptr_t started(void *(*run)(void *), int is_watched)
{
    pthread_t thread;
    uintptr_t self = 0;

    CHECK(pthread_create(&thread, NULL, run, &self) == 0, NULL);
    if (is_watched) {
        pthread_barrier_wait(&entered);
        REFUSED(gtl_exitNode(h, &data), GTL_ERROR_ORDER, "another thread has nodes open", NULL);
        pthread_barrier_wait(&refused);
    }
    pthread_join(thread, NULL);
    return self;
}

int main(void)
{
    int reused = 0;

    CHECK(pthread_barrier_init(&entered, NULL, 2) == 0 && pthread_barrier_init(&refused, NULL, 2) == 0, NULL);
    CHECK((h = gtl_create(&descript, "reuse.gtf")) != NULL, NULL);
    for (data = 0; data < ROUNDS; data++) {
        uintptr_t first;

        CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h);
        first = started(leaves_it_open, 0);
        reused += started(goes_on, 1) == first;
        /* Both have ended: the handle is whoever's calls. */
        CHECK(gtl_exitNode(h, &data) == GTL_OK, h);
        CHECK(gtl_closeTree(h) == GTL_OK, h);
    }
    CHECK(gtl_delete(h) == GTL_OK, NULL);
    printf("%d\n", reused);
    return 0;
}
