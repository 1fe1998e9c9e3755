# What the scripts here share: finding gt and the library, working on a copy, and showing the log.
# Read by the others, not run.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${WORK:-$PWD/gt-engines}

fail() { echo "$(basename "$0"): $*" >&2; exit 2; }

# The library and the command gt: those of this repository, built where they are not yet.
prepare() {
    command -v python3 > /dev/null || fail "python3 is needed"
    command -v g++ > /dev/null || fail "g++ is needed"
    echo "building gt and the C library (release; minutes the first time) ..."
    (cd "$root" && cargo build --release --quiet --package gt-cli --package gt-log-c)
    built=$root/target/release
    gt=$built/gt
    compile_flags="-std=c++17 -I$here -I$1 -I$root/crates/gt-log-c/include"
    link_flags="$built/libgt_log_c.a -lpthread -ldl -lm"
}

# copy FOLDER NAME: the engine's source is left as it is; a copy is changed.
copy() {
    mkdir -p "$work"
    rm -rf "${work:?}/$2"
    cp -r "$1" "$work/$2"
}

# show LOG: what the log holds, and where the nodes went.
show() {
    "$gt" info "$1"
    "$gt" profile "$1"
    echo
    echo "the log: $1"
    echo "look at it: $gt view $1 --open"
}
