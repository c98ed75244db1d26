// Results too small for a normal float become zero while programs that update variables run, as in the original: averages of gradients
// that have ended would else be computed with at a hundredth of the speed.
#ifndef OSSIA_DENORMALS_H
#define OSSIA_DENORMALS_H

#include <stdint.h>

// How this thread rounds.
static inline uint64_t oc_mode(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_ia32_stmxcsr();
#elif defined(__aarch64__) && defined(__GNUC__)
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
#else
    return 0;
#endif
}

// Begins to flush such results on this thread, if asked to; returns what `oc_restore` needs to go back to how it was.
static inline uint64_t oc_flush(int wanted) {
    if (!wanted) return oc_mode();
#if defined(__x86_64__) && defined(__GNUC__)
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8000u);
    return before;
#elif defined(__aarch64__) && defined(__GNUC__)
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" : : "r"(before | (UINT64_C(1) << 24)));
    return before;
#else
    return 0;
#endif
}

static inline void oc_restore(uint64_t before) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_ldmxcsr((unsigned)before);
#elif defined(__aarch64__) && defined(__GNUC__)
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
    (void)before;
#endif
}

#endif
