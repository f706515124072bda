// Makes writes below one folder fail, or ends the process at one of them, and sets the clock, for Scripts/faults. Loaded
// with LD_PRELOAD. All but the clock holds for the process itself, not for those that it starts.
//
//   FAULT_BELOW=DIR      only files below it
//   FAULT_AT=N           the Nth write fails, counted from 1 (write, pwrite, fsync, ftruncate, rename, mkdir, new files)
//   FAULT_ERROR=28       its errno: 28 is ENOSPC, 5 is EIO
//   FAULT_STAYS=1        all writes after it fail as well, as on a disk that is full
//   FAULT_KILL=1         the process is killed (SIGKILL) instead of that write
//   FAULT_COUNT=FILE     at the end, the number of writes is written to it
//   FAULT_CLOCK=FILE     the wall clock stands at the seconds since 1970 in it, read at each call
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static atomic_long writes;
static long failing;
static int error_number = 28, stays, kills;
static const char *below, *count_file, *clock_file;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
    below = getenv("FAULT_BELOW");
    count_file = getenv("FAULT_COUNT");
    clock_file = getenv("FAULT_CLOCK");
    if (getenv("FAULT_AT")) failing = atol(getenv("FAULT_AT"));
    if (getenv("FAULT_ERROR")) error_number = atoi(getenv("FAULT_ERROR"));
    stays = getenv("FAULT_STAYS") != NULL;
    kills = getenv("FAULT_KILL") != NULL;
    unsetenv("FAULT_BELOW");
    unsetenv("FAULT_COUNT");
}

__attribute__((destructor)) static void end(void) {
    if (!count_file) return;
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", (long)writes);
    int (*open_)(const char *, int, ...) = real("open");
    ssize_t (*write_)(int, const void *, size_t) = real("write");
    int file = open_(count_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0) return;
    if (write_(file, text, (size_t)length) < 0) perror("faults: write");
    close(file);
}

/// Whether this write fails.
static int fails(void) {
    long number = atomic_fetch_add(&writes, 1) + 1;
    if (!failing || !(stays ? number >= failing : number == failing)) return 0;
    if (kills) kill(getpid(), SIGKILL);
    errno = error_number;
    return 1;
}

static int is_below(const char *path) { return below && path && strncmp(path, below, strlen(below)) == 0; }

static int file_fails(int file) {
    if (!below) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    // The memory that SQLite's processes share is not on the disk.
    if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
    return is_below(path) && fails();
}

#define WRITING(result, name, parameters, arguments, failure)             \
    result name parameters {                                              \
        static result(*next) parameters;                                  \
        if (!next) next = real(#name);                                    \
        if (failure) return -1;                                           \
        return next arguments;                                            \
    }

WRITING(ssize_t, write, (int f, const void *b, size_t n), (f, b, n), file_fails(f))
WRITING(ssize_t, pwrite, (int f, const void *b, size_t n, off_t o), (f, b, n, o), file_fails(f))
WRITING(ssize_t, pwrite64, (int f, const void *b, size_t n, off64_t o), (f, b, n, o), file_fails(f))
WRITING(ssize_t, writev, (int f, const struct iovec *v, int n), (f, v, n), file_fails(f))
WRITING(int, fsync, (int f), (f), file_fails(f))
WRITING(int, fdatasync, (int f), (f), file_fails(f))
WRITING(int, ftruncate, (int f, off_t n), (f, n), file_fails(f))
WRITING(int, ftruncate64, (int f, off64_t n), (f, n), file_fails(f))
WRITING(int, rename, (const char *a, const char *b), (a, b), is_below(b) && fails())
WRITING(int, mkdir, (const char *p, mode_t m), (p, m), is_below(p) && fails())

#define OPENING(name)                                                               \
    int name(const char *path, int flags, ...) {                                    \
        static int (*next)(const char *, int, ...);                                 \
        if (!next) next = real(#name);                                              \
        mode_t mode = 0;                                                            \
        if (flags & (O_CREAT | O_TMPFILE)) {                                        \
            va_list rest;                                                           \
            va_start(rest, flags);                                                  \
            mode = va_arg(rest, mode_t);                                            \
            va_end(rest);                                                           \
        }                                                                           \
        if ((flags & O_CREAT) && is_below(path) && access(path, F_OK) != 0 && fails()) return -1; \
        return next(path, flags, mode);                                             \
    }

OPENING(open)
OPENING(open64)

/// Returns whether the clock is set, and to what.
static int is_set(time_t *seconds) {
    static int (*open_)(const char *, int, ...);
    if (!clock_file) return 0;
    if (!open_) open_ = real("open");
    int file = open_(clock_file, O_RDONLY);
    if (file < 0) return 0;
    char text[32] = {0};
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    *seconds = atol(text);
    return 1;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*next)(clockid_t, struct timespec *);
    if (!next) next = real("clock_gettime");
    if ((clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) && is_set(&time->tv_sec)) {
        time->tv_nsec = 0;
        return 0;
    }
    return next(clock, time);
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    static int (*next)(struct timeval *restrict, void *restrict);
    if (!next) next = real("gettimeofday");
    int result = next(time, zone);
    if (result == 0 && is_set(&time->tv_sec)) time->tv_usec = 0;
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
