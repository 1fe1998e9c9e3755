/* A device that is always full: no handle, and a reason. */
#include "check.h"

static const GTDataDescript descript =
  { "full", sizeof(int), 0, { { NULL, 0 } }, 1, { { "number", 0, sizeof(int), GTL_INT } } };

int main(void)
{
    CHECK(gtl_create(&descript, "/dev/full") == NULL, NULL);
    CHECK(strstr(gtl_lastError(NULL), "/dev/full") != NULL, NULL);
    return 0;
}
