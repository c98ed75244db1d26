// The table of kernels, and the loop that runs a program.
#include "program.h"
#include "denormals.h"
#include <string.h>

const oc_kernel oc_kernels[] = {
    oc_elementwise, oc_matmul, oc_reduce, oc_softmax, oc_xent, oc_sparse_xent, oc_strided_copy, oc_copy, oc_argmax,
    oc_add_scalar_i32, oc_add_scalar_i64, oc_sgd, oc_momentum, oc_adam, oc_rows, oc_gather, oc_zero, oc_integers,
    oc_conv, oc_conv_filter, oc_conv_input, oc_pool, oc_max_pool_grad, oc_avg_pool_grad, oc_cast,
    oc_branch, oc_merge, oc_loop, oc_array, oc_stack_kernel, oc_batch_norm, oc_batch_norm_grad,
    oc_random_uniform, oc_random_normal, oc_segment_sums, oc_special,
    oc_depthwise, oc_depthwise_input, oc_depthwise_filter,
    oc_unique, oc_in_range,
    oc_images, oc_grouped, oc_batch_moments, oc_batch_scale, oc_batch_products, oc_batch_gradient,
    oc_update, oc_onednn, oc_together, oc_recurrence, oc_by_rows, oc_row_sums, oc_dense_adam, oc_dense_sgd, oc_dense_momentum, oc_gather_nd,
    oc_largest_of_rows, oc_call_kernel,
};

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

int64_t oc_kernel_count(void) { return sizeof oc_kernels / sizeof oc_kernels[0]; }

OC_KERNEL(oc_copy) {
    if (in->i[0]) memmove(state->buffers[in->buf[0]], state->buffers[in->buf[1]], (size_t)in->i[0]);
    return OC_OK;
}

OC_KERNEL(oc_zero) {
    if (in->i[0]) memset(state->buffers[in->buf[0]], 0, (size_t)in->i[0]);
    return OC_OK;
}

OC_KERNEL(oc_add_scalar_i32) {
    *OC_I32(0) = (int32_t)((uint32_t)*OC_I32(0) + (uint32_t)*OC_I32(1));
    return OC_OK;
}

OC_KERNEL(oc_add_scalar_i64) {
    *OC_I64(0) = (int64_t)((uint64_t)*OC_I64(0) + (uint64_t)*OC_I64(1));
    return OC_OK;
}

// Fails with the error i[1] unless a scalar is positive (i[0] is 1), not negative (2) or not positive (3).
OC_KERNEL(oc_in_range) {
    const float x = *OC_F32(0);
    const int inside = in->i[0] == 1 ? x > 0 : in->i[0] == 2 ? x >= 0 : x <= 0;
    return inside ? OC_OK : (int)in->i[1];
}
