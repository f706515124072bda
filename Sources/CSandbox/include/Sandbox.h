#ifndef SHELFLIST_SANDBOX_H
#define SHELFLIST_SANDBOX_H

#include <stdint.h>

// The parts of the confinement. Each holds or fails on its own: a failure of one never leaves out another.
typedef enum {
    // Only the system calls that decoding needs (seccomp). Opening files, sockets and programs fails with EPERM.
    SHELF_PART_FILTER,
    // No program that is run gains privileges.
    SHELF_PART_PRIVILEGES,
    // A limit of address space.
    SHELF_PART_MEMORY,
    // An hour of processor time.
    SHELF_PART_PROCESSOR,
    // No core dumps, and other processes of the user cannot read the memory.
    SHELF_PART_DUMPS,
    // No file descriptors above 2.
    SHELF_PART_FILES,
    // The process ends with the thread that started it.
    SHELF_PART_PARENT,
    SHELF_PARTS,
} shelf_part;

// The errno of each part that does not hold, and 0 for those that hold.
typedef struct {
    uint8_t errors[SHELF_PARTS];
} shelf_confinement;

// Confines the calling process for good, with at most `memory` bytes of address space more than now. A limit that is
// lower already is kept. Where /proc is not mounted, the memory part fails, because the space in use is not known.
shelf_confinement shelf_sandbox_enter(uint64_t memory);

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
