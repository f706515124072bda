// What zxing-cpp uses of <mutex>, which the C++ library for WASI lacks without threads.
#pragma once
#include <utility>

namespace std {
struct mutex {
    void lock() {}
    void unlock() {}
};
struct once_flag {
    bool isDone = false;
};
template <class Function, class... Arguments>
void call_once(once_flag& flag, Function&& function, Arguments&&... arguments) {
    if (flag.isDone) return;
    flag.isDone = true;
    std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}
}  // namespace std
