// For versions of Stockfish before C++17, which have a `clamp` of their own: our header needs C++17, where std::clamp is another one, and
// `using namespace std` brings both in. Included before everything else, it gives the engine's another name.
#include <algorithm>
#define clamp gtOwnClamp
