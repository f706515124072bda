// Answers the processor queries of libraries prepared by prepare.py: as the processor does, without AVX-512 and AMX.
#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <ucontext.h>

// Bits of leaf 7, subleaf 0, as listed in Intel's Software Developer's Manual, volume 2, under CPUID.
static const unsigned avx512_ebx = 0xdc230000;  // F, DQ, IFMA, PF, ER, CD, BW, VL
static const unsigned avx512_ecx = 0x00005842;  // VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ
static const unsigned avx512_edx = 0x03c0010c;  // 4VNNIW, 4FMAPS, VP2INTERSECT, AMX and FP16

static void answer(int signal, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    unsigned leaf = registers[REG_RAX], subleaf = registers[REG_RCX], a, b, c, d;
    (void)signal, (void)info;
    __cpuid_count(leaf, subleaf, a, b, c, d);
    if (leaf == 7 && subleaf == 0) {
        b &= ~avx512_ebx;
        c &= ~avx512_ecx;
        d &= ~avx512_edx;
    } else if (leaf == 7 && subleaf == 1) {
        a = d = 0;  // AVX-VNNI, AVX512-BF16, AMX-FP16 and later
    } else if (leaf == 0xd && subleaf == 0) {
        a &= ~0xe0;  // the registers of AVX-512
    }
    registers[REG_RAX] = a, registers[REG_RBX] = b, registers[REG_RCX] = c, registers[REG_RDX] = d;
    // The saved address is that of the nop behind the breakpoint: both together replace the instruction's two bytes.
}

__attribute__((constructor)) static void install(void) {
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
    sigaction(SIGTRAP, &action, 0);
}
