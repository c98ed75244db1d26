// Numbers in tensors that say where to read or write.
//
// The memory of a tensor may change while a kernel runs: other threads assign to variables and write to arrays that were fed. So each index,
// length, offset, size or divisor in it is read once, by `oc_index`, and used as it was checked; the compiler cannot read it again. What looks at
// a vector twice checks it both times, or works on its own copy. Numbers that Python has computed for one call belong to that call.
#ifndef OSSIA_INDEX_H
#define OSSIA_INDEX_H

#include <stdint.h>

// Number `k` of a vector of int32 or int64, whose numbers have so many bytes.
static inline int64_t oc_index(const char *numbers, int64_t bytes, int64_t k) {
    return bytes == 4 ? __atomic_load_n((const int32_t *)numbers + k, __ATOMIC_RELAXED)
                      : __atomic_load_n((const int64_t *)numbers + k, __ATOMIC_RELAXED);
}

#endif
