// What is expected of newer libraries than those that the tarball is linked with: libstdc++ 10 and glibc 2.31.
#include <new>

namespace std {
[[noreturn]] void __throw_bad_array_new_length() { throw bad_array_new_length(); }
}  // namespace std

// Of glibc 2.32. Headers of libstdc++ 11 and later count references without atomic operations where it is true.
extern "C" char __libc_single_threaded = 0;
