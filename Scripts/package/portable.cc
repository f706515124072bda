// What the Swift runtime expects of libstdc++, and version 10 of it, with which the tarball is linked, does not have.
#include <new>

namespace std {
[[noreturn]] void __throw_bad_array_new_length() { throw bad_array_new_length(); }
}  // namespace std
