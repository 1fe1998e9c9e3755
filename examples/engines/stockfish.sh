#!/usr/bin/env bash
# Logs a search of Stockfish: takes its source folder, puts our calls into a copy, builds it, and shows what it searched.
#
#   stockfish.sh FOLDER [POSITION] [DEPTH]
#
# FOLDER is what `apt-get source stockfish` or a clone of the engine gives: the one that has `src` in it. POSITION is a FEN. The copy, the
# engine and the log are put into ./gt-engines, or where WORK says. ARCH is passed to the engine's own Makefile (default: x86-64-modern).
#
# Versions whose source has been run through it: Fairy-Stockfish 11.1 (a Stockfish 11) and the Stockfish 14 in the Python package pyffish 0.0.90.
#
# Nothing of Stockfish is in this repository. `instrument.py` renames `search` and `qsearch`, and `stockfish/gt_stockfish.h` has functions of
# those names that enter a node, call the engine's own, and leave the node.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# -ge 1 ] && [ $# -le 3 ] || fail "usage: stockfish.sh FOLDER [POSITION] [DEPTH]"
folder=$1
position=${2:-r1bqr1k1/pp1n1pbp/3p1np1/2pP4/P3P3/2N2N2/1P1BBPPP/R2Q1RK1 w - - 0 1}
depth=${3:-12}
[ -f "$folder/src/search.cpp" ] || fail "$folder has no src/search.cpp; give the folder of Stockfish's source"
[[ $depth =~ ^[0-9]+$ ]] || fail "the depth is a number, and not \`$depth\`"

prepare "$here/stockfish"
copy "$folder" stockfish
cd "$work/stockfish/src"
python3 "$here/instrument.py" search.cpp --include gt_stockfish.h --top gt_engine.hpp --class search.h "Value search" "Value qsearch"
# Before version 12 the engine has a `clamp` of its own.
if grep -qE '\bclamp\(const T& ?v' ./*.h; then
    compile_flags="$compile_flags -include $here/stockfish/own_clamp.h"
fi
echo "building Stockfish with our calls ..."
if [ -f Makefile ]; then
    make --quiet build ARCH="${ARCH:-x86-64-modern}" \
        EXTRACXXFLAGS="$compile_flags -DGT_ENGINE_NAME='\"Stockfish\"'" EXTRALDFLAGS="$link_flags" > build.log 2>&1 \
        || { tail -n 20 build.log >&2; fail "the engine does not build; build.log in $PWD has all of it"; }
else
    # A source without its Makefile, such as the one that Python packages carry.
    rm -f pyffish.cpp ffishjs.cpp
    # As the engine's own Makefile has it: optimised, and without exceptions.
    flags="-O3 -fno-exceptions -DNDEBUG -DIS_64BIT -DUSE_PTHREADS -DNNUE_EMBEDDING_OFF -DUSE_SSE2 -DUSE_SSSE3 -DUSE_SSE41 -DUSE_POPCNT -msse4.1 -mpopcnt"
    # shellcheck disable=SC2086
    find . -name '*.cpp' -print0 | sort -z | xargs -0 -P "$(nproc)" -I '{}' \
        g++ $flags $compile_flags -DGT_ENGINE_NAME='"Fairy-Stockfish"' -c '{}' -o '{}.o' > build.log 2>&1 \
        || { tail -n 20 build.log >&2; fail "the engine does not build; build.log in $PWD has all of it"; }
    # shellcheck disable=SC2046,SC2086
    g++ $(find . -name '*.cpp.o') $link_flags -o stockfish
fi

log=$work/stockfish.gtf
echo "searching to depth $depth ..."
search ./stockfish "$position" "$depth" "$log"
show "$log"
