/* Files that are there already: kept, unless the engine says that they may be replaced. */
#include <stddef.h>
#include "check.h"

static const GTDataDescript descript =
  { "existing", sizeof(int), 0, { { NULL, 0 } }, 1, { { "number", 0, sizeof(int), GTL_INT } } };

static void put(const char *name)
{
    FILE *file = fopen(name, "w");

    CHECK(file != NULL && fputs("precious", file) >= 0 && fclose(file) == 0, NULL);
}

static int isPrecious(const char *name)
{
    char text[16] = "";
    FILE *file = fopen(name, "r");
    size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);

    if (file != NULL)
        fclose(file);
    return length == 8 && strcmp(text, "precious") == 0;
}

static int tree(GTLogHdl h)
{
    int data = 7, code = gtl_openTree(h, NULL, 0), worse;

    worse = gtl_enterNode(h, 1);
    code = code == GTL_OK ? worse : code;
    worse = gtl_exitNode(h, &data);
    code = code == GTL_OK ? worse : code;
    worse = gtl_closeTree(h);
    return code == GTL_OK ? worse : code;
}

static void oneFile(void)
{
    GTLogHdl h, twin;

    put("one.gtf");
    CHECK(gtl_create(&descript, "one.gtf") == NULL, NULL);
    CHECK(strstr(gtl_lastError(NULL), "one.gtf") != NULL, NULL);
    CHECK(strstr(gtl_lastError(NULL), "gtl_setReplace") != NULL, NULL);
    h = gtl_create(&descript, NULL);
    CHECK(gtl_open(h, "one.gtf") == GTL_ERROR_WRITE, h);
    CHECK(strstr(gtl_lastError(h), "is there already") != NULL, h);
    CHECK(tree(h) == GTL_ERROR_WRITE && isPrecious("one.gtf"), h);

    CHECK(gtl_setReplace(h, 1) == GTL_OK && gtl_open(h, "one.gtf") == GTL_OK, h);
    CHECK(!isPrecious("one.gtf"), h);
    /* Never under the hands of another. */
    twin = gtl_create(&descript, NULL);
    CHECK(gtl_setReplace(twin, 1) == GTL_OK && gtl_open(twin, "one.gtf") == GTL_ERROR_WRITE, twin);
    CHECK(strstr(gtl_lastError(twin), "is being written") != NULL, twin);
    gtl_delete(twin); /* tells once more that it failed */
    CHECK(tree(h) == GTL_OK && gtl_delete(h) == GTL_OK, NULL);
}

static void ownFile(void)
{
    GTLogHdl h = gtl_create(&descript, "own.gtf");

    /* The file is begun anew with what is said about it, and is the handle's own. */
    CHECK(gtl_setLogMeta(h, "engine", "existing") == GTL_OK && tree(h) == GTL_OK, h);
    CHECK(gtl_delete(h) == GTL_OK, NULL);
}

static void fileForEachTree(void)
{
    GTLogHdl h = gtl_create(&descript, "tree-%d.gtf");

    put("tree-2.gtf");
    CHECK(tree(h) == GTL_OK, h);
    CHECK(tree(h) == GTL_ERROR_WRITE && isPrecious("tree-2.gtf"), h);
    CHECK(tree(h) == GTL_OK, h);
    put("again-1.gtf");
    CHECK(gtl_setReplace(h, 1) == GTL_OK && gtl_open(h, "again-%d.gtf") == GTL_OK, h);
    CHECK(tree(h) == GTL_OK, h);
    put("again-2.gtf");
    CHECK(gtl_setReplace(h, 0) == GTL_OK && tree(h) == GTL_ERROR_WRITE && isPrecious("again-2.gtf"), h);
    CHECK(gtl_delete(h) == GTL_OK, NULL);
}

static void addedTo(void)
{
    static const GTDataDescript other =
      { "existing", sizeof(int), 0, { { NULL, 0 } }, 1, { { "name", 0, sizeof(int), GTL_INT } } };
    GTLogHdl h;
    int i;

    for (i = 0; i < 3; i++) {
        h = gtl_create(&descript, NULL);
        CHECK(gtl_setAppend(h, 1) == GTL_OK && gtl_open(h, "added.gtf") == GTL_OK, h);
        CHECK(tree(h) == GTL_OK && tree(h) == GTL_OK, h);
        REFUSED(gtl_setLogMeta(h, "engine", "late"), GTL_ERROR_ORDER, "before the first tree", h);
        CHECK(gtl_delete(h) == GTL_OK, NULL);
    }
    h = gtl_create(&other, NULL);
    CHECK(gtl_setAppend(h, 1) == GTL_OK, h);
    REFUSED(gtl_open(h, "added.gtf"), GTL_ERROR_WRITE, "(number: i32), and not (name: i32)", h);
    put("text.gtf");
    CHECK(gtl_open(h, "text.gtf") == GTL_ERROR_WRITE && isPrecious("text.gtf"), h);
    gtl_delete(h); /* tells once more that it failed */
}

int main(void)
{
    addedTo();
    oneFile();
    ownFile();
    fileForEachTree();
    return 0;
}
