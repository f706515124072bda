#ifndef SHELFLIST_DYNAMIC_LIBRARY_H
#define SHELFLIST_DYNAMIC_LIBRARY_H

#include <stddef.h>

// A library that is loaded when it is first used, because most users need neither it nor the package it comes in.

// Opens the first library of NAMES that can be opened; the last of them is NULL. Returns NULL and writes why into REASON, of
// SIZE bytes, where none can be.
void *shelf_library_open(const char *const names[], char *reason, size_t size);

// Looks up a function of it. Returns NULL and writes into REASON that the library, of this NAME, lacks it.
void *shelf_library_find(void *library, const char *name, const char *function, char *reason, size_t size);

#endif
