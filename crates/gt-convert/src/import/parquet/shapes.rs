//! The shapes of Parquet's footer and page headers: the structs of `parquet.thrift` that the library reads.

use super::thrift::Shape::{Binary, Bool, Byte, Double, Int, List, Struct as Nested};
use super::thrift::Struct;

macro_rules! shapes {
    ($($visibility:vis $name:ident { $($number:literal: $shape:expr),* $(,)? })*) => {
        $($visibility static $name: Struct = Struct { name: stringify!($name), fields: &[$(($number, $shape)),*] };)*
    };
}

shapes! {
    pub(super) FILE {
        1: Int, 2: List(&Nested(&SCHEMA_ELEMENT)), 3: Int, 4: List(&Nested(&ROW_GROUP)), 5: List(&Nested(&KEY_VALUE)),
        6: Binary, 7: List(&Nested(&COLUMN_ORDER)), 9: Binary,
    }
    SCHEMA_ELEMENT {
        1: Int, 2: Int, 3: Int, 4: Binary, 5: Int, 6: Int, 7: Int, 8: Int, 9: Int, 10: Nested(&LOGICAL_TYPE),
    }
    LOGICAL_TYPE {
        1: Nested(&EMPTY), 2: Nested(&EMPTY), 3: Nested(&EMPTY), 4: Nested(&EMPTY), 5: Nested(&DECIMAL),
        6: Nested(&EMPTY), 7: Nested(&TIME), 8: Nested(&TIME), 10: Nested(&INTEGER), 11: Nested(&EMPTY),
        12: Nested(&EMPTY), 13: Nested(&EMPTY), 14: Nested(&EMPTY), 15: Nested(&EMPTY), 16: Nested(&VARIANT),
        17: Nested(&GEOMETRY), 18: Nested(&GEOMETRY),
    }
    EMPTY {}
    DECIMAL { 1: Int, 2: Int }
    TIME { 1: Bool, 2: Nested(&TIME_UNIT) }
    TIME_UNIT { 1: Nested(&EMPTY), 2: Nested(&EMPTY), 3: Nested(&EMPTY) }
    INTEGER { 1: Byte, 2: Bool }
    VARIANT { 1: Byte }
    GEOMETRY { 1: Binary, 2: Int }
    ROW_GROUP {
        1: List(&Nested(&COLUMN_CHUNK)), 2: Int, 3: Int, 4: List(&Nested(&SORTING_COLUMN)), 5: Int, 6: Int, 7: Int,
    }
    SORTING_COLUMN { 1: Int, 2: Bool, 3: Bool }
    COLUMN_CHUNK { 1: Binary, 2: Int, 3: Nested(&COLUMN), 4: Int, 5: Int, 6: Int, 7: Int, 9: Binary }
    COLUMN {
        1: Int, 2: List(&Int), 3: List(&Binary), 4: Int, 5: Int, 6: Int, 7: Int, 8: List(&Nested(&KEY_VALUE)),
        9: Int, 10: Int, 11: Int, 12: Nested(&STATISTICS), 13: List(&Nested(&ENCODING_STATISTICS)), 14: Int,
        15: Int, 16: Nested(&SIZE_STATISTICS), 17: Nested(&GEOSPATIAL_STATISTICS),
    }
    KEY_VALUE { 1: Binary, 2: Binary }
    STATISTICS { 1: Binary, 2: Binary, 3: Int, 4: Int, 5: Binary, 6: Binary, 7: Bool, 8: Bool }
    ENCODING_STATISTICS { 1: Int, 2: Int, 3: Int }
    SIZE_STATISTICS { 1: Int, 2: List(&Int), 3: List(&Int) }
    GEOSPATIAL_STATISTICS { 1: Nested(&BOUNDING_BOX), 2: List(&Int) }
    BOUNDING_BOX {
        1: Double, 2: Double, 3: Double, 4: Double, 5: Double, 6: Double, 7: Double, 8: Double,
    }
    COLUMN_ORDER { 1: Nested(&EMPTY) }
    pub(super) PAGE_HEADER {
        1: Int, 2: Int, 3: Int, 4: Int, 5: Nested(&DATA_PAGE), 6: Nested(&EMPTY), 7: Nested(&DICTIONARY_PAGE),
        8: Nested(&DATA_PAGE_2),
    }
    DATA_PAGE { 1: Int, 2: Int, 3: Int, 4: Int, 5: Nested(&STATISTICS) }
    DICTIONARY_PAGE { 1: Int, 2: Int, 3: Bool }
    DATA_PAGE_2 { 1: Int, 2: Int, 3: Int, 4: Int, 5: Int, 6: Int, 7: Bool, 8: Nested(&STATISTICS) }
}
