//! The thesis's own figures, where its text gives them, for comparison with ours.

/// An artificial tree of Table 5.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Its number.
    pub number: usize,
    /// Its depth.
    pub depth: usize,
    /// The number of children of every node above that depth.
    pub branching: u64,
}

/// Table 5.1.
pub const TREES: [Tree; 9] = [
    Tree { number: 1, depth: 24, branching: 2 },
    Tree { number: 2, depth: 15, branching: 3 },
    Tree { number: 3, depth: 10, branching: 5 },
    Tree { number: 4, depth: 9, branching: 7 },
    Tree { number: 5, depth: 8, branching: 9 },
    Tree { number: 6, depth: 5, branching: 35 },
    Tree { number: 7, depth: 5, branching: 30 },
    Tree { number: 8, depth: 5, branching: 20 },
    Tree { number: 9, depth: 5, branching: 10 },
];

/// The number of nodes of each tree, in the order of [`TREES`].
pub const TREE_NODES: [u64; 9] =
    [33_554_431, 21_523_360, 12_207_031, 47_079_208, 48_427_561, 54_066_636, 25_137_931, 3_368_421, 111_111];

/// Nodes per second for Q1, and for Q5, on every tree.
pub const NODES_PER_SECOND: [f64; 2] = [600_000.0, 500_000.0];

/// The thesis's data on the search of one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// The position's number in the suite.
    pub position: u32,
    /// Table 5.2: the nominal depth at which the solution was found.
    pub depth: u16,
    /// Table 5.2: the largest ply.
    pub deepest: u32,
    /// Table 5.2: the nodes of that iteration.
    pub nodes: u64,
    /// Table 5.4: the percentages of PV, Cut and All nodes.
    pub types_percent: [f64; 3],
    /// Table 5.5: the answers of Q5 to Q12.
    pub depths: [u64; 8],
    /// Table 5.6: the range in which the four largest quiescence searches lie.
    pub largest_quiescence: (u64, u64),
    /// Table 5.7: the answers of Q19 to Q23.
    pub pv_children: [u64; 5],
}

/// Tables 5.2 and 5.4 to 5.7, by position.
pub const SEARCHES: [Search; 9] = [
    Search {
        position: 15,
        depth: 8,
        deepest: 15,
        nodes: 205_199,
        types_percent: [0.44, 69.71, 29.86],
        depths: [66_602, 74_282, 64_315, 12_783, 691, 0, 0, 0],
        largest_quiescence: (101, 150),
        pv_children: [91, 7, 0, 0, 0],
    },
    Search {
        position: 16,
        depth: 2,
        deepest: 19,
        nodes: 2_383,
        types_percent: [14.60, 63.58, 21.82],
        depths: [1_205, 153, 1_025, 369, 172, 0, 0, 0],
        largest_quiescence: (50, 100),
        pv_children: [29, 3, 0, 0, 0],
    },
    Search {
        position: 17,
        depth: 6,
        deepest: 18,
        nodes: 197_803,
        types_percent: [0.03, 74.25, 25.73],
        depths: [71_610, 55_841, 70_352, 412, 0, 0, 0, 0],
        largest_quiescence: (50, 100),
        pv_children: [1, 0, 0, 0, 0],
    },
    Search {
        position: 18,
        depth: 10,
        deepest: 30,
        nodes: 1_671_866,
        types_percent: [0.06, 75.87, 24.07],
        depths: [694_582, 673_702, 303_582, 15_931, 445, 0, 0, 0],
        largest_quiescence: (201, 850),
        pv_children: [87, 3, 0, 0, 0],
    },
    Search {
        position: 19,
        depth: 5,
        deepest: 25,
        nodes: 78_165,
        types_percent: [0.52, 73.32, 26.16],
        depths: [27_267, 15_987, 34_911, 14_129, 547, 0, 0, 0],
        largest_quiescence: (50, 100),
        pv_children: [32, 3, 0, 0, 0],
    },
    Search {
        position: 20,
        depth: 8,
        deepest: 24,
        nodes: 580_158,
        types_percent: [0.08, 73.19, 26.72],
        depths: [166_095, 239_674, 174_389, 2_143, 126, 0, 0, 0],
        largest_quiescence: (50, 100),
        pv_children: [26, 2, 0, 0, 0],
    },
    Search {
        position: 21,
        depth: 9,
        deepest: 45,
        nodes: 2_821_292,
        types_percent: [0.10, 72.10, 27.79],
        depths: [1_040_497, 786_366, 994_429, 100_186, 13_619, 3_577, 653, 6],
        largest_quiescence: (151, 200),
        pv_children: [243, 15, 0, 0, 0],
    },
    Search {
        position: 22,
        depth: 9,
        deepest: 41,
        nodes: 5_135_007,
        types_percent: [0.12, 76.93, 22.95],
        depths: [1_532_847, 908_701, 2_693_459, 564_116, 81_124, 3_564, 276, 0],
        largest_quiescence: (151, 200),
        pv_children: [556, 59, 6, 6, 5],
    },
    Search {
        position: 23,
        depth: 9,
        deepest: 35,
        nodes: 1_009_011,
        types_percent: [0.15, 67.52, 32.33],
        depths: [352_744, 314_201, 340_666, 76_098, 7_275, 48, 0, 0],
        largest_quiescence: (101, 150),
        pv_children: [160, 20, 6, 0, 0],
    },
];

/// Returns the thesis's data on a position.
#[must_use]
pub fn search_of(position: u32) -> Option<&'static Search> {
    SEARCHES.iter().find(|search| search.position == position)
}
