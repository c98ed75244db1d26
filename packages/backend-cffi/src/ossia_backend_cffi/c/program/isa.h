// The instruction sets that there is code for, chosen when the library is loaded or asked for at run time. Tests build without some of them:
// OSSIA_PORTABLE leaves out all that not every processor has, OSSIA_AVX2 what is wider than AVX2.
#ifndef OSSIA_ISA_H
#define OSSIA_ISA_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(OSSIA_PORTABLE)
#define OC_X86 1
#endif

// One function compiled for several instruction sets, chosen when the library is loaded.
#if !defined(OC_X86) || defined(__clang__)
#define OC_CLONES
#elif defined(OSSIA_AVX2)
#define OC_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define OC_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif

// Bytes of the widest registers to be used: 64, 32 or 16.
static inline int oc_register_bytes(void) {
#ifdef OC_X86
#ifndef OSSIA_AVX2
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma")) return 64;
#endif
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 32;
#endif
    return 16;
}

#endif
