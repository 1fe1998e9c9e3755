#!/usr/bin/env bash
# Logs a search of Toga II, a descendant of Fruit: takes its source folder, puts our calls into a copy, builds it, and shows what it searched.
#
#   toga.sh FOLDER [POSITION] [DEPTH]
#
# FOLDER is what `apt-get source toga2` gives: the one that has `src/search_full.cpp` in it. POSITION is a FEN. The copy, the engine and the log
# are put into ./gt-engines, or where WORK says. Nothing of Toga is in this repository; see `toga/gt_toga.h`.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# -ge 1 ] && [ $# -le 3 ] || fail "usage: toga.sh FOLDER [POSITION] [DEPTH]"
folder=$1
position=${2:-r1bqr1k1/pp1n1pbp/3p1np1/2pP4/P3P3/2N2N2/1P1BBPPP/R2Q1RK1 w - - 0 1}
depth=${3:-10}
[ -f "$folder/src/search_full.cpp" ] || fail "$folder has no src/search_full.cpp; give the folder of Toga's source"
[[ $depth =~ ^[0-9]+$ ]] || fail "the depth is a number, and not \`$depth\`"

prepare "$here/toga"
copy "$folder" toga
cd "$work/toga/src"
python3 "$here/instrument.py" search_full.cpp --include gt_toga.h --top gt_engine.hpp "int full_root" "int full_search" "int full_no_null" "int full_quiescence"
echo "building Toga with our calls ..."
# The Makefile asks the compiler for dependencies without flags, and names libraries before what needs them: ours are the compiler's name, and
# the program is put together here.
objects=$(ls ./*.cpp | sed 's/cpp$/o/')
# shellcheck disable=SC2086
{
    make --quiet -j "$(nproc)" $objects CXX="g++ $compile_flags -DGT_ENGINE_NAME='\"Toga II\"'" CXXFLAGS="-O2 -w -fpermissive" &&
        g++ $objects $link_flags -o toga2
} > build.log 2>&1 || { tail -n 20 build.log >&2; fail "the engine does not build; build.log in $PWD has all of it"; }

log=$work/toga.gtf
echo "searching to depth $depth ..."
search ./toga2 "$position" "$depth" "$log"
show "$log"
