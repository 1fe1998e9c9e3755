/* A disk that is full after so many bytes: disk LIMIT. The engine goes on to the end of its search. */
#define _XOPEN_SOURCE 600
#include <stddef.h>
#include <signal.h>
#include <sys/resource.h>
#include "check.h"

enum { BRANCHING = 4, DEPTH = 8 };

static const GTDataDescript descript =
  { "disk", sizeof(int), 0, { { NULL, 0 } }, 1, { { "number", 0, sizeof(int), GTL_INT } } };

static int nodes, failures;

static void search(GTLogHdl h, int depth, int move)
{
    int number = nodes++ * 2654435761u >> 8, i, code;

    code = gtl_enterNode(h, move);
    CHECK(code == GTL_OK || code == GTL_ERROR_WRITE, h);
    for (i = 0; i < BRANCHING && depth > 0; i++)
        search(h, depth - 1, i);
    code = gtl_exitNode(h, &number);
    CHECK(code == GTL_OK || code == GTL_ERROR_WRITE, h);
    failures += code != GTL_OK;
}

static void limit(unsigned long bytes)
{
    struct rlimit limit;

    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

int main(int argc, char **argv)
{
    GTLogHdl h = gtl_create(&descript, "disk.gtf");
    char cause[512];

    CHECK(h != NULL && argc == 2, NULL);
    CHECK(gtl_setFlush(h, 1000, 0) == GTL_OK, h);
    signal(SIGXFSZ, SIG_IGN);
    limit(strtoul(argv[1], NULL, 10));
    search(h, DEPTH, 0);
    CHECK(failures > 0 && gtl_isOn(h) == 0, h);
    CHECK(strstr(gtl_lastError(h), "disk.gtf") != NULL && strstr(gtl_lastError(h), "ended early") != NULL, h);
    strcpy(cause, gtl_lastError(h));
    CHECK(gtl_closeTree(h) == GTL_ERROR_WRITE, h);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_ERROR_WRITE && gtl_flush(h) == GTL_ERROR_WRITE, h);
    CHECK(strcmp(gtl_lastError(h), cause) == 0, h); /* still the cause, not that logging is off */
    CHECK(gtl_close(h) == GTL_ERROR_WRITE && strcmp(gtl_lastError(h), cause) == 0, h);

    /* There is room again: a new file works. */
    limit(RLIM_INFINITY);
    CHECK(gtl_open(h, "room.gtf") == GTL_OK && gtl_isOn(h) == 1, h);
    search(h, 2, 0);

    /* With a file for each tree, the next tree tries again. */
    limit(3000);
    CHECK(gtl_open(h, "tree-%d.gtf") == GTL_OK, h);
    search(h, DEPTH, 0);
    CHECK(gtl_isOn(h) == 0, h);
    limit(RLIM_INFINITY);
    CHECK(gtl_openTree(h, NULL, 0) == GTL_OK, h);
    search(h, 2, 0);
    CHECK(gtl_delete(h) == GTL_OK, NULL);
    return 0;
}
