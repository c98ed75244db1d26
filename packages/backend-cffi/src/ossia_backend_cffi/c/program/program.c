// The table of kernels, and the loop that runs a program.
#include "program/program.h"
#include "program/denormals.h"
#include <string.h>

const oc_kernel oc_kernels[] = {OC_KERNELS};

// Runs `count` instructions, on up to `threads` threads, denormal results flushed to zero if `flush`. Returns 0, or (position + 1) * 16 + error of the first that failed.
int64_t oc_run(const oc_instr *instructions, int64_t count, char **buffers, const int32_t *code, char *scratch, int threads,
               int flush) {
    const oc_state state = {.buffers = buffers, .code = code, .scratch = scratch, .threads = oc_threads(threads)};
    const uint64_t mode = oc_flush(flush);
    int64_t failure = 0;
    for (int64_t n = 0; n < count && !failure; n++) {
        const int error = oc_kernels[instructions[n].kernel](&instructions[n], &state);
        if (error) failure = (n + 1) * 16 + error;
    }
    oc_restore(mode);
    return failure;
}

const char *oc_schema(void) { return OC_SCHEMA; }

OC_KERNEL(oc_copy) {
    if (in->copy.bytes) memmove(state->buffers[in->copy.out], state->buffers[in->copy.x], (size_t)in->copy.bytes);
    return OC_OK;
}

OC_KERNEL(oc_zero) {
    if (in->zero.bytes) memset(state->buffers[in->zero.out], 0, (size_t)in->zero.bytes);
    return OC_OK;
}

OC_KERNEL(oc_add_scalar_i32) {
    *OC_I32(add_scalar_i32.var) = (int32_t)((uint32_t)*OC_I32(add_scalar_i32.var) + (uint32_t)*OC_I32(add_scalar_i32.x));
    return OC_OK;
}

OC_KERNEL(oc_add_scalar_i64) {
    *OC_I64(add_scalar_i64.var) = (int64_t)((uint64_t)*OC_I64(add_scalar_i64.var) + (uint64_t)*OC_I64(add_scalar_i64.x));
    return OC_OK;
}

OC_KERNEL(oc_in_range) {
    const float x = *OC_F32(in_range.x);
    const int inside = in->in_range.range == 1 ? x > 0 : in->in_range.range == 2 ? x >= 0 : x <= 0;
    return inside ? OC_OK : (int)in->in_range.error;
}
