// Sets the clocks, for Scripts/faults. Loaded with LD_PRELOAD, together with disk_faults.c. Holds also for processes that the
// process starts.
//
//   FAULT_CLOCK=FILE     read at each call: the seconds since 1970 at which the wall clock stands; or `+AHEAD PASSED`, the
//                        seconds by which it is set ahead, and those that have passed for all clocks and for timers in addition
//                        to those that really have
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define FIND(name) if (!next) next = dlsym(RTLD_NEXT, #name)
/// The timers whose clock is remembered.
#define TIMERS 4096

/// How the clocks are set.
struct clocks {
    int stands;
    long wall, passed;
};

/// Returns whether the clocks are set.
static int is_set(struct clocks *clocks) {
    // Not those of disk_faults.c.
    static int (*open_)(const char *, int, ...);
    static ssize_t (*read_)(int, void *, size_t);
    if (!open_) open_ = dlsym(RTLD_NEXT, "open");
    if (!read_) read_ = dlsym(RTLD_NEXT, "read");
    const char *name = getenv("FAULT_CLOCK");
    int file = name ? open_(name, O_RDONLY) : -1;
    if (file < 0) return 0;
    char text[64] = {0};
    ssize_t length = read_(file, text, sizeof text - 1);
    close(file);
    *clocks = (struct clocks){.stands = text[0] != '+'};
    return length > 0 && sscanf(text, "%ld %ld", &clocks->wall, &clocks->passed) > 0;
}

static int is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

static int passes(clockid_t clock) {
    return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*next)(clockid_t, struct timespec *);
    FIND(clock_gettime);
    int result = next(clock, time);
    struct clocks set;
    if (result != 0 || !(is_wall(clock) || passes(clock)) || !is_set(&set)) return result;
    if (is_wall(clock) && set.stands) *time = (struct timespec){set.wall, 0};
    else time->tv_sec += set.passed + (is_wall(clock) ? set.wall : 0);
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    static int (*next)(struct timeval *restrict, void *restrict);
    FIND(gettimeofday);
    int result = next(time, zone);
    struct timespec now;
    if (result == 0 && clock_gettime(CLOCK_REALTIME, &now) == 0)
        *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

/// Whether each timer runs by a clock for which seconds pass in addition.
static char is_shifted[TIMERS];

int timerfd_create(int clock, int flags) {
    static int (*next)(int, int);
    FIND(timerfd_create);
    int timer = next(clock, flags);
    if (timer >= 0 && timer < TIMERS) is_shifted[timer] = passes(clock);
    return timer;
}

/// The time at which a timer ends is one that the process reads, which is ahead of the kernel's.
int timerfd_settime(int timer, int flags, const struct itimerspec *wanted, struct itimerspec *old) {
    static int (*next)(int, int, const struct itimerspec *, struct itimerspec *);
    FIND(timerfd_settime);
    struct itimerspec real = *wanted;
    struct clocks set;
    int is_armed = real.it_value.tv_sec != 0 || real.it_value.tv_nsec != 0;
    if (is_armed && (flags & TFD_TIMER_ABSTIME) && timer < TIMERS && is_shifted[timer] && is_set(&set)) {
        real.it_value.tv_sec -= set.passed;
        if (real.it_value.tv_sec < 0) real.it_value = (struct timespec){0, 1};
    }
    return next(timer, flags, &real, old);
}
