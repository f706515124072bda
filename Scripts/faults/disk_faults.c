// Makes writes and reads below one folder fail, or ends the process at one of them, for Scripts/faults. Loaded with
// LD_PRELOAD, together with clock_faults.c. Holds for the process itself, not for those that it starts.
//
//   FAULT_BELOW=DIR      only files below it
//   FAULT_AT=N           the Nth write fails, counted from 1: write, fsync, ftruncate, fallocate, copy_file_range, rename,
//                        link, unlink, mkdir, new files
//   FAULT_READ_AT=N      the Nth read fails
//   FAULT_ERROR=28       its errno: 28 is ENOSPC, with which unlink does not fail; 5 is EIO
//   FAULT_STAYS=1        all after it fail as well, as on a disk that is full
//   FAULT_KILL=1         the process is killed (SIGKILL) instead
//   FAULT_CONTROL=FILE   the settings of `struct control`, in memory shared with a test that changes them meanwhile
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
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/// harness.Control has the same fields.
struct control {
    atomic_long writes, reads, at, read_at, error, stays, kills;
};

static struct control own, *control = &own;
static const char *below;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static long number(const char *name, long without) { return getenv(name) ? atol(getenv(name)) : without; }

__attribute__((constructor)) static void begin(void) {
    // A program that runs itself again stays the same process, with its settings.
    if (number("FAULT_PROCESS", getpid()) != getpid()) return;
    char process[32];
    snprintf(process, sizeof process, "%ld", (long)getpid());
    setenv("FAULT_PROCESS", process, 1);
    below = getenv("FAULT_BELOW");
    own.at = number("FAULT_AT", 0);
    own.read_at = number("FAULT_READ_AT", 0);
    own.error = number("FAULT_ERROR", ENOSPC);
    own.stays = number("FAULT_STAYS", 0);
    own.kills = number("FAULT_KILL", 0);
    const char *shared = getenv("FAULT_CONTROL");
    if (shared) {
        int (*open_)(const char *, int, ...) = real("open");
        int file = open_(shared, O_RDWR);
        void *memory = file < 0 ? MAP_FAILED : mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory == MAP_FAILED) {
            perror("faults: FAULT_CONTROL");
            _exit(70);
        }
        close(file);
        control = memory;
    }
}

/// Counts an operation, and returns whether it fails.
static int is_hit(atomic_long *counter, long at) {
    long count = atomic_fetch_add(counter, 1) + 1;
    if (!at || !(control->stays ? count >= at : count == at)) return 0;
    if (control->kills) kill(getpid(), SIGKILL);
    errno = (int)control->error;
    return 1;
}

/// Whether this write fails.
static int fails(void) { return is_hit(&control->writes, control->at); }

/// Whether this write, which frees space, fails.
static int freeing_fails(void) {
    int before = errno, hit = fails();
    if (hit && errno != ENOSPC) return 1;
    errno = before;
    return 0;
}

static int is_path_below(const char *path) { return below && path && strncmp(path, below, strlen(below)) == 0; }

/// Stores the path of an open file. Returns whether it has one.
static int path_of(int file, char path[4096]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int before = errno;
    ssize_t length = readlink(link, path, 4095);
    errno = before;
    path[length < 0 ? 0 : length] = 0;
    return length > 0;
}

static int is_below(int folder, const char *path) {
    char base[4096];
    if (!path || path[0] == '/' || folder == AT_FDCWD) return is_path_below(path);
    // Below an open folder.
    return path_of(folder, base) && is_path_below(base);
}

static int is_file_below(int file) {
    if (!below) return 0;
    char path[4096];
    if (!path_of(file, path)) return 0;
    // The memory that SQLite's processes share is not on the disk.
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
    return is_path_below(path);
}

static int file_fails(int file) { return is_file_below(file) && fails(); }
static int reading_fails(int file) { return is_file_below(file) && is_hit(&control->reads, control->read_at); }

#define INTERPOSE(result, name, parameters, arguments, failure, returned) \
    result name parameters {                                              \
        static result(*next) parameters;                                  \
        if (!next) next = real(#name);                                    \
        if (failure) return returned;                                     \
        return next arguments;                                            \
    }
#define WRITING(result, name, parameters, arguments, failure) INTERPOSE(result, name, parameters, arguments, failure, -1)

WRITING(ssize_t, write, (int f, const void *b, size_t n), (f, b, n), file_fails(f))
WRITING(ssize_t, pwrite, (int f, const void *b, size_t n, off_t o), (f, b, n, o), file_fails(f))
WRITING(ssize_t, pwrite64, (int f, const void *b, size_t n, off64_t o), (f, b, n, o), file_fails(f))
WRITING(ssize_t, writev, (int f, const struct iovec *v, int n), (f, v, n), file_fails(f))
WRITING(ssize_t, copy_file_range, (int a, off64_t *x, int b, off64_t *y, size_t n, unsigned o), (a, x, b, y, n, o),
        file_fails(b))
WRITING(ssize_t, sendfile, (int a, int b, off_t *o, size_t n), (a, b, o, n), file_fails(a))
WRITING(ssize_t, sendfile64, (int a, int b, off64_t *o, size_t n), (a, b, o, n), file_fails(a))
WRITING(int, fsync, (int f), (f), file_fails(f))
WRITING(int, fdatasync, (int f), (f), file_fails(f))
WRITING(int, ftruncate, (int f, off_t n), (f, n), file_fails(f))
WRITING(int, ftruncate64, (int f, off64_t n), (f, n), file_fails(f))
WRITING(int, fallocate, (int f, int m, off_t o, off_t n), (f, m, o, n), file_fails(f))
WRITING(int, fallocate64, (int f, int m, off64_t o, off64_t n), (f, m, o, n), file_fails(f))
INTERPOSE(int, posix_fallocate, (int f, off_t o, off_t n), (f, o, n), file_fails(f), errno)
INTERPOSE(int, posix_fallocate64, (int f, off64_t o, off64_t n), (f, o, n), file_fails(f), errno)
WRITING(int, rename, (const char *a, const char *b), (a, b), is_path_below(b) && fails())
WRITING(int, renameat, (int d, const char *a, int e, const char *b), (d, a, e, b), is_below(e, b) && fails())
WRITING(int, renameat2, (int d, const char *a, int e, const char *b, unsigned o), (d, a, e, b, o),
        is_below(e, b) && fails())
WRITING(int, link, (const char *a, const char *b), (a, b), is_path_below(b) && fails())
WRITING(int, linkat, (int d, const char *a, int e, const char *b, int o), (d, a, e, b, o), is_below(e, b) && fails())
WRITING(int, unlink, (const char *p), (p), is_path_below(p) && freeing_fails())
WRITING(int, unlinkat, (int d, const char *p, int o), (d, p, o), is_below(d, p) && freeing_fails())
WRITING(int, remove, (const char *p), (p), is_path_below(p) && freeing_fails())
WRITING(int, rmdir, (const char *p), (p), is_path_below(p) && freeing_fails())
WRITING(int, mkdir, (const char *p, mode_t m), (p, m), is_path_below(p) && fails())
WRITING(int, mkdirat, (int d, const char *p, mode_t m), (d, p, m), is_below(d, p) && fails())

WRITING(ssize_t, read, (int f, void *b, size_t n), (f, b, n), reading_fails(f))
WRITING(ssize_t, pread, (int f, void *b, size_t n, off_t o), (f, b, n, o), reading_fails(f))
WRITING(ssize_t, pread64, (int f, void *b, size_t n, off64_t o), (f, b, n, o), reading_fails(f))
WRITING(ssize_t, readv, (int f, const struct iovec *v, int n), (f, v, n), reading_fails(f))

#define MODE(mode, flags)                    \
    mode_t mode = 0;                         \
    if (flags & (O_CREAT | O_TMPFILE)) {     \
        va_list rest;                        \
        va_start(rest, flags);               \
        mode = va_arg(rest, mode_t);         \
        va_end(rest);                        \
    }
#define OPENING(name)                                                                                  \
    int name(const char *path, int flags, ...) {                                                       \
        static int (*next)(const char *, int, ...);                                                    \
        if (!next) next = real(#name);                                                                 \
        MODE(mode, flags)                                                                              \
        if ((flags & O_CREAT) && is_path_below(path) && access(path, F_OK) != 0 && fails()) return -1; \
        return next(path, flags, mode);                                                                \
    }
#define OPENING_AT(name)                                                                                  \
    int name(int folder, const char *path, int flags, ...) {                                              \
        static int (*next)(int, const char *, int, ...);                                                  \
        if (!next) next = real(#name);                                                                    \
        MODE(mode, flags)                                                                                 \
        if ((flags & O_CREAT) && is_below(folder, path) && faccessat(folder, path, F_OK, 0) != 0 && fails()) \
            return -1;                                                                                    \
        return next(folder, path, flags, mode);                                                           \
    }

OPENING(open)
OPENING(open64)
OPENING_AT(openat)
OPENING_AT(openat64)
