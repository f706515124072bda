#define _DEFAULT_SOURCE
#include "WorkerProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

// Creates a connected pair that programs do not inherit.
static int make_pair(int pair[2]) {
#ifdef SOCK_CLOEXEC
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return errno;
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return errno;
    for (int i = 0; i < 2; i++) fcntl(pair[i], F_SETFD, FD_CLOEXEC);
    int on = 1;
    setsockopt(pair[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    // Fewer switches between the two processes; the system lowers it to what it allows.
    int size = 4 << 20;
    for (int i = 0; i < 2; i++) {
        setsockopt(pair[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
        setsockopt(pair[i], SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    }
    return 0;
}

// What a program is started with, and the result.
typedef struct {
    char *const *arguments;
    char *const *environment;
    int socket;
    int problem;
    pid_t process;
} start;

// Starts the program of `what`, whose input and output are its socket.
static void spawn(start *what) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, what->socket, 0);
    posix_spawn_file_actions_adddup2(&actions, what->socket, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    // Ctrl-C in a terminal is for the server, which finishes its photos.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    what->problem = posix_spawn(
        &what->process, what->arguments[0], &actions, &attributes, what->arguments, what->environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
}

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
// What the starting thread is to start; NULL once it has.
static start *waiting;
static bool has_thread;

// Starts what is waiting, for as long as this process runs.
static void *start_forever(void *none) {
    (void)none;
    pthread_mutex_lock(&starting);
    for (;;) {
        while (!waiting) pthread_cond_wait(&changed, &starting);
        spawn(waiting);
        waiting = NULL;
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

// Creates the starting thread, which gets no signals, if there is none. Returns 0 or the errno.
static int need_thread(void) {
    if (has_thread) return 0;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int problem = pthread_create(&thread, NULL, start_forever, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (problem == 0) pthread_detach(thread);
    has_thread = problem == 0;
    return problem;
}

pid_t shelf_worker_start(char *const arguments[], char *const environment[], int *socket) {
    int pair[2];
    int problem = make_pair(pair);
    if (problem != 0) return -problem;
    start what = {.arguments = arguments, .environment = environment, .socket = pair[1]};
    // A confined process ends with the thread that started it, and other threads of a server end while it runs.
    pthread_mutex_lock(&starting);
    while (waiting) pthread_cond_wait(&changed, &starting);
    what.problem = need_thread();
    if (what.problem == 0) {
        waiting = &what;
        pthread_cond_broadcast(&changed);
        while (waiting == &what) pthread_cond_wait(&changed, &starting);
    }
    pthread_mutex_unlock(&starting);
    close(pair[1]);
    if (what.problem != 0) {
        close(pair[0]);
        return -what.problem;
    }
    *socket = pair[0];
    return what.process;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits until the socket is ready.
static shelf_transfer wait_for(int socket, short events, int64_t deadline) {
    for (;;) {
        int64_t left = deadline - now();
        if (left <= 0) return SHELF_TRANSFER_LATE;
        struct pollfd file = {.fd = socket, .events = events};
        int ready = poll(&file, 1, left < 60000 ? (int)left : 60000);
        if (ready > 0) return SHELF_TRANSFER_DONE;
        if (ready < 0 && errno != EINTR) return SHELF_TRANSFER_ENDED;
    }
}

shelf_transfer shelf_worker_send(int socket, const void *bytes, size_t count, int64_t milliseconds) {
    int64_t deadline = now() + milliseconds;
    const char *next = bytes;
    while (count > 0) {
        ssize_t sent = send(socket, next, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) {
            next += sent;
            count -= (size_t)sent;
        } else if (errno == EAGAIN) {
            shelf_transfer result = wait_for(socket, POLLOUT, deadline);
            if (result != SHELF_TRANSFER_DONE) return result;
        } else if (errno != EINTR) {
            return SHELF_TRANSFER_ENDED;
        }
    }
    return SHELF_TRANSFER_DONE;
}

// Asks for large pages: the first use of each page of a photo takes longer than copying it.
static void use_large_pages(void *bytes, size_t count) {
#ifdef MADV_HUGEPAGE
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = ((uintptr_t)bytes + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)bytes + count) & ~(page - 1);
    if (count >= 4 << 20) madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
    (void)bytes;
    (void)count;
#endif
}

shelf_transfer shelf_worker_receive(int socket, void *bytes, size_t count, int64_t milliseconds) {
    int64_t deadline = now() + milliseconds;
    char *next = bytes;
    use_large_pages(bytes, count);
    while (count > 0) {
        ssize_t received = recv(socket, next, count, MSG_DONTWAIT);
        if (received > 0) {
            next += received;
            count -= (size_t)received;
        } else if (received == 0) {
            return SHELF_TRANSFER_ENDED;
        } else if (errno == EAGAIN) {
            shelf_transfer result = wait_for(socket, POLLIN, deadline);
            if (result != SHELF_TRANSFER_DONE) return result;
        } else if (errno != EINTR) {
            return SHELF_TRANSFER_ENDED;
        }
    }
    return SHELF_TRANSFER_DONE;
}
