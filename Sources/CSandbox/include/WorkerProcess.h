#ifndef SHELFLIST_WORKER_PROCESS_H
#define SHELFLIST_WORKER_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Starts a program, in a process group of its own, whose input and output are a socket and whose errors are discarded. The
// thread that starts it stays until this process ends. Stores this process's end of the socket, which no other program
// inherits. Returns the process, or a negative number of errno.
pid_t shelf_worker_start(char *const arguments[], char *const environment[], int *socket);

// SHELF_TRANSFER_ENDED: the other side closed the socket or ended.
typedef enum { SHELF_TRANSFER_DONE, SHELF_TRANSFER_LATE, SHELF_TRANSFER_ENDED } shelf_transfer;

// Sends all bytes within so many milliseconds.
shelf_transfer shelf_worker_send(int socket, const void *bytes, size_t count, int64_t milliseconds);

// Receives exactly `count` bytes within so many milliseconds.
shelf_transfer shelf_worker_receive(int socket, void *bytes, size_t count, int64_t milliseconds);

#endif
