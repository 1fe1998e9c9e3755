/* What the test programs share: a check that ends the program with the place and the log's own words. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gt_log.h"

#define CHECK(condition, h) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, gtl_lastError(h)); \
            exit(1); \
        } \
    } while (0)

/* The call gives the code, and the error names what it should. */
#define REFUSED(call, code, words, h) \
    do { \
        CHECK((call) == (code), h); \
        CHECK(strstr(gtl_lastError(h), (words)) != NULL, h); \
    } while (0)

#endif
