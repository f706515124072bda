#ifndef SHELFLIST_SANDBOX_H
#define SHELFLIST_SANDBOX_H

#include <stdint.h>

// How far the process is confined.
typedef enum { SHELF_SANDBOX_NONE, SHELF_SANDBOX_LIMITS, SHELF_SANDBOX_FILTERED } shelf_sandbox;

// Confines the calling process for good: no new privileges, no file descriptors above 2, no core dumps, at most
// `memory` bytes of address space more than now, an hour of processor time, and, where the kernel has seccomp, only
// the system calls that decoding needs. Opening files, sockets and programs then fails with EPERM.
shelf_sandbox shelf_sandbox_enter(uint64_t memory);

// What a confined process must not be able to do.
typedef enum {
    SHELF_ATTEMPT_FILE,
    SHELF_ATTEMPT_SOCKET,
    SHELF_ATTEMPT_PROCESS,
    SHELF_ATTEMPT_PROGRAM,
    SHELF_ATTEMPT_SIGNAL,
} shelf_attempt;

// Attempts it. Returns 0 where it is possible, else EPERM or another number of errno.
int shelf_sandbox_attempt(shelf_attempt what);

#endif
