/* Handles where they do not belong: in a second thread, after they were deleted, in the child of a fork. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"

static const GTDataDescript descript =
  { "handles", sizeof(int), 0, { { NULL, 0 } }, 1, { { "best", 0, sizeof(int), GTL_INT } } };
static const int data = 7;

/* A handle in another thread: every call is refused there, and says so there alone. */
static void *intrude(void *argument)
{
    GTLogHdl h = argument;

    REFUSED(gtl_enterNode(h, 1), GTL_ERROR_ORDER, "another thread has nodes open", h);
    REFUSED(gtl_exitNode(h, &data), GTL_ERROR_ORDER, "another thread has nodes open", h);
    REFUSED(gtl_setEnabled(h, 0), GTL_ERROR_ORDER, "another thread has nodes open", h);
    REFUSED(gtl_closeTree(h), GTL_ERROR_ORDER, "another thread has nodes open", h);
    REFUSED(gtl_delete(h), GTL_ERROR_ORDER, "another thread has nodes open", NULL);
    CHECK(gtl_share(h) == NULL && strstr(gtl_lastError(NULL), "another thread") != NULL, NULL);
    return NULL;
}

/* A thread that searches a tree which was opened elsewhere. */
static void *search(void *argument)
{
    GTLogHdl h = argument;

    CHECK(gtl_enterNode(h, 0) == GTL_OK && gtl_enterNode(h, 1) == GTL_OK, h);
    CHECK(gtl_exitNode(h, &data) == GTL_OK && gtl_exitNode(h, &data) == GTL_OK, h);
    return NULL;
}

/* A thread that ends with nodes open. */
static void *vanish(void *argument)
{
    GTLogHdl h = argument;

    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK && gtl_enterNode(h, 0) == GTL_OK, h);
    return NULL;
}

static void in_thread(void *(*run)(void *), GTLogHdl h)
{
    pthread_t thread;

    CHECK(pthread_create(&thread, NULL, run, h) == 0, h);
    pthread_join(thread, NULL);
}

static void forked(GTLogHdl h)
{
    int status;
    pid_t child = fork();

    CHECK(child >= 0, h);
    if (child == 0) {
        GTLogHdl own;

        REFUSED(gtl_enterNode(h, 5), GTL_ERROR_ORDER, "the parent process's", h);
        REFUSED(gtl_exitNode(h, &data), GTL_ERROR_ORDER, "the parent process's", h);
        REFUSED(gtl_close(h), GTL_ERROR_ORDER, "the parent process's", h);
        REFUSED(gtl_delete(h), GTL_ERROR_ORDER, "the parent process's", NULL);
        own = gtl_create(&descript, "child.gtf");
        CHECK(own != NULL && gtl_enterNode(own, 0) == GTL_OK && gtl_exitNode(own, &data) == GTL_OK, own);
        CHECK(gtl_delete(own) == GTL_OK, NULL);
        exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0, h);
}

int main(void)
{
    GTLogHdl h = gtl_create(&descript, "handles.gtf");

    CHECK(h != NULL, NULL);
    CHECK(gtl_setBackground(h, 1) == GTL_OK, h);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h);
    CHECK(gtl_enterNode(h, 0) == GTL_OK, h);
    in_thread(intrude, h);
    CHECK(strcmp(gtl_lastError(h), "") == 0, h);
    forked(h);
    CHECK(gtl_enterNode(h, 1) == GTL_OK && gtl_exitNode(h, &data) == GTL_OK, h);
    CHECK(gtl_exitNode(h, &data) == GTL_OK && gtl_closeTree(h) == GTL_OK, h);

    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h);
    in_thread(search, h);
    CHECK(gtl_closeTree(h) == GTL_OK, h);

    in_thread(vanish, h);
    CHECK(gtl_abandonTree(h) == GTL_OK, h);

    CHECK(gtl_delete(h) == GTL_OK, NULL);
    REFUSED(gtl_delete(h), GTL_ERROR_ORDER, "the handle was deleted", NULL);
    REFUSED(gtl_enterNode(h, 0), GTL_ERROR_ORDER, "the handle was deleted", h);
    REFUSED(gtl_open(h, "again.gtf"), GTL_ERROR_ORDER, "the handle was deleted", h);
    CHECK(gtl_isOn(h) == 0 && gtl_share(h) == NULL, NULL);
    return 0;
}
