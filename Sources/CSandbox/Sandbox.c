#define _GNU_SOURCE
#include "Sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE(code) ANSWER(SECCOMP_RET_ERRNO | (code))
#define ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), ANSWER(SECCOMP_RET_ALLOW)
// Allows a call whose argument has none of `bits`.
#define ALLOW_WITHOUT(name, argument, bits)                                                        \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), LOAD(args[argument]),                  \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1), REFUSE(EPERM), ANSWER(SECCOMP_RET_ALLOW)

// Returns 0 or the errno.
static int filter_calls(void) {
    struct sock_filter rules[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        ALLOW(read), ALLOW(write), ALLOW(readv), ALLOW(writev), ALLOW(close),
        ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(brk),
        // Memory that is both data and program would make an exploit easy.
        ALLOW_WITHOUT(mmap, 2, PROT_EXEC), ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
        ALLOW(futex), ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(set_robust_list), ALLOW(rseq),
        ALLOW(gettid), ALLOW(getpid), ALLOW(clock_gettime), ALLOW(clock_nanosleep), ALLOW(nanosleep),
        ALLOW(getrandom), ALLOW(rt_sigprocmask), ALLOW(rt_sigaction), ALLOW(rt_sigreturn), ALLOW(sigaltstack),
        ALLOW(exit), ALLOW(exit_group),
        // libde265 decodes on threads. The flags of clone3 are in memory, where a filter cannot see them; glibc
        // calls clone where it is missing. A filter cannot count threads: the service's limit of tasks does.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1), REFUSE(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4), LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), ANSWER(SECCOMP_RET_ALLOW), REFUSE(EPERM),
        REFUSE(EPERM),
    };
    struct sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};
    // For all threads: the runtime may have started some. Positive for a thread that cannot have the filter.
    long result = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    return result < 0 ? errno : result > 0 ? ESRCH : 0;
}

// Closes all files above 2; kernels before 5.9 have no call for it. Returns 0 or the errno.
static int close_files(void) {
    if (syscall(__NR_close_range, 3, ~0u, 0) == 0) return 0;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return errno;
    for (rlim_t file = 3; file < files.rlim_max && file < 1 << 20; file++) close((int)file);
    return 0;
}

// Lowers a limit; one that is lower already is kept. Returns 0 or the errno.
static int lower(int resource, rlim_t wanted) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    if (limit.rlim_max > wanted) limit.rlim_max = wanted;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

// Limits the address space to so many bytes more than now. Returns 0 or the errno.
static int limit_memory(uint64_t memory) {
    FILE *status = fopen("/proc/self/statm", "r");
    if (!status) return errno;
    unsigned long pages = 0;
    int found = fscanf(status, "%lu", &pages);
    fclose(status);
    if (found != 1 || pages == 0) return EIO;
    return lower(RLIMIT_AS, (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + memory);
}

static int set(int option, unsigned long value) { return prctl(option, value, 0, 0, 0) == 0 ? 0 : errno; }

shelf_confinement shelf_sandbox_enter(uint64_t memory) {
    int errors[SHELF_PARTS];
    errors[SHELF_PART_FILES] = close_files();
    errors[SHELF_PART_MEMORY] = limit_memory(memory);
    errors[SHELF_PART_PROCESSOR] = lower(RLIMIT_CPU, 3600);
    int core = lower(RLIMIT_CORE, 0), dumpable = set(PR_SET_DUMPABLE, 0);
    errors[SHELF_PART_DUMPS] = core ? core : dumpable;
    errors[SHELF_PART_PARENT] = set(PR_SET_PDEATHSIG, SIGKILL);
    errors[SHELF_PART_PRIVILEGES] = set(PR_SET_NO_NEW_PRIVS, 1);
    // Last, because it refuses the calls above.
    errors[SHELF_PART_FILTER] = filter_calls();
    shelf_confinement confinement;
    for (int part = 0; part < SHELF_PARTS; part++) confinement.errors[part] = (uint8_t)errors[part];
    return confinement;
}

#else

shelf_confinement shelf_sandbox_enter(uint64_t memory) {
    (void)memory;
    shelf_confinement confinement;
    for (int part = 0; part < SHELF_PARTS; part++) confinement.errors[part] = (uint8_t)ENOSYS;
    return confinement;
}

#endif

static int result_of(int returned) { return returned < 0 ? errno : 0; }

static int attempt_process(void) {
    pid_t process = fork();
    if (process == 0) _exit(0);
    if (process > 0) waitpid(process, NULL, 0);
    return result_of(process);
}

int shelf_sandbox_attempt(shelf_attempt what) {
    char *none[] = {NULL};
    switch (what) {
    case SHELF_ATTEMPT_FILE: return result_of(open("/", O_RDONLY));
    case SHELF_ATTEMPT_SOCKET: return result_of(socket(AF_INET, SOCK_STREAM, 0));
    case SHELF_ATTEMPT_PROCESS: return attempt_process();
    // A program that does not exist: the answer is ENOENT where programs may be run.
    case SHELF_ATTEMPT_PROGRAM: return execve("/nonexistent", none, none) < 0 && errno == ENOENT ? 0 : errno;
    case SHELF_ATTEMPT_SIGNAL: return result_of(kill(getppid(), 0));
    }
    return 0;
}
