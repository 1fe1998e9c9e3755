# What the scripts here share: finding gt and the library, working on a copy, and showing the log.
# Read by the others, not run.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${WORK:-$PWD/gt-engines}

fail() { echo "$(basename "$0"): $*" >&2; exit 2; }

# The library and the command gt: those in the folder that GT_BUILT names, or else those of this repository, built where they are not yet.
prepare() {
    command -v python3 > /dev/null || fail "python3 is needed"
    command -v g++ > /dev/null || fail "g++ is needed"
    built=${GT_BUILT:-$root/target/release}
    if [ -z "${GT_BUILT:-}" ]; then
        echo "building gt and the C library (release; minutes the first time) ..."
        (cd "$root" && cargo build --release --quiet --package gt-cli --package gt-log-c)
    fi
    for file in gt libgt_log_c.a; do
        [ -f "$built/$file" ] || fail "$built has no $file"
    done
    gt=$built/gt
    compile_flags="-std=c++17 -I. -I$here -I$1 -I$root/crates/gt-log-c/include"
    link_flags="$built/libgt_log_c.a -lpthread -ldl -lm"
}

# copy FOLDER NAME: the engine's source is left as it is; a copy is changed.
copy() {
    mkdir -p "$work"
    rm -rf "${work:?}/$2"
    cp -r "$1" "$work/$2"
}

# search ENGINE POSITION DEPTH LOG: has the engine search, and ends it when it has told its move.
search() {
    local line answered=
    coproc ENGINE { GT_LOG=$4 "$1"; }
    local input=${ENGINE[1]} output=${ENGINE[0]} engine=$ENGINE_PID
    printf 'uci\nisready\nposition fen %s\ngo depth %s\n' "$2" "$3" >&"$input"
    while read -r line <&"$output"; do
        case $line in bestmove*)
            answered=$line
            echo "$line"
            echo quit >&"$input"
            break ;;
        esac
    done
    wait "$engine" || fail "the engine failed after it was given the position"
    [ -n "$answered" ] || fail "the engine ended without a move"
}

# show LOG: what the log holds, and where the nodes went.
show() {
    "$gt" info "$1"
    "$gt" profile "$1"
    echo
    echo "the log: $1"
    echo "look at it: $gt view $1 --open"
}
