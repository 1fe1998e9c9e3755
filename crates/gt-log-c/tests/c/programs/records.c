/* Every type of attribute, at every alignment, and texts that are none. */
#include <stddef.h>
#include <stdbool.h>
#include <float.h>
#include "check.h"

#pragma pack(push, 1)
typedef struct {
    char pad;
    int8_t i8; int16_t i16; int32_t i32; int64_t i64;
    uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
    float f32; double f64;
    bool truth; int32_t number;
    const char *text;
} Data_t;
#pragma pack(pop)

#define FIELD(name, type) { #name, offsetof(Data_t, name), sizeof(((Data_t *)0)->name), type }

/* Not in the order of the record: the log has the descriptor's. */
static const GTDataDescript descript = {
    "records", sizeof(Data_t), 2, { { "Most", INT64_MAX }, { "Least", INT64_MIN } }, 13,
    { FIELD(text, GTL_TEXT), FIELD(i8, GTL_INT), FIELD(i16, GTL_INT), FIELD(i32, GTL_INT), FIELD(i64, GTL_INT),
      FIELD(u8, GTL_UINT), FIELD(u16, GTL_UINT), FIELD(u32, GTL_UINT), FIELD(u64, GTL_UINT),
      FIELD(f32, GTL_FLOAT), FIELD(f64, GTL_FLOAT), FIELD(truth, GTL_BOOL), FIELD(number, GTL_BOOL) }
};

int main(void)
{
    static const Data_t records[4] = {
        { 1, INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN, 0, 0, 0, 0, -FLT_MAX, -DBL_MAX, false, 0, NULL },
        { 1, INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX, UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX,
          FLT_MAX, DBL_MAX, true, 256, "e2e4 \xe2\x99\x94" },
        { 1, -1, -2, -3, -4, 1, 2, 3, 4, 0.5f, 0.25, true, -1, "\xff" },
        { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "" },
    };
    GTLogHdl h = gtl_create(&descript, "records.gtf");
    int i;

    CHECK(h != NULL, NULL);
    CHECK(gtl_enterNode(h, INT64_MIN) == GTL_OK, h);
    for (i = 0; i < 4; i++) {
        CHECK(gtl_enterNode(h, i) == GTL_OK, h);
        CHECK(gtl_exitNode(h, &records[i]) == GTL_OK, h);
    }
    CHECK(gtl_exitNode(h, NULL) == GTL_OK, h);
    CHECK(gtl_delete(h) == GTL_OK, NULL);
    return 0;
}
