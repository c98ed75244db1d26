// Rows named by indices: gathered, or updated one after the other by an elementwise pass.
#include "program.h"
#include <string.h>

static inline int64_t index_at(const char *indices, int64_t bytes, int64_t k) {
    return bytes == 4 ? ((const int32_t *)indices)[k] : ((const int64_t *)indices)[k];
}

static int all_within(const char *indices, int64_t bytes, int64_t count, int64_t limit) {
    for (int64_t k = 0; k < count; k++) {
        const int64_t at = index_at(indices, bytes, k);
        if (at < 0 || at >= limit) return 0;
    }
    return 1;
}

// Buffers: indices, variables, gradients. i: elements of a row, code, steps (as oc_elementwise), indices, their bytes, rows of the
// variables, number of variables, number of gradients. A row that is named twice is updated twice.
OC_KERNEL(oc_rows) {
    const int64_t row = in->i[0], count = in->i[3], bytes = in->i[4], limit = in->i[5], variables = in->i[6], operands = variables + in->i[7];
    const char *indices = state->buffers[in->buf[0]];
    if (!count || !row) return all_within(indices, bytes, count, limit) ? OC_OK : OC_BAD_INDEX;
    if (!all_within(indices, bytes, count, limit)) return OC_BAD_INDEX;
    // The pass sees the rows through the table of buffers, which is put right again at the end.
    char *whole[OC_BUFFERS];
    for (int64_t p = 0; p < operands; p++) whole[p] = state->buffers[in->buf[p + 1]];
    int error = OC_OK;
    for (int64_t k = 0; k < count && !error; k++) {
        const int64_t at = index_at(indices, bytes, k);
        for (int64_t p = 0; p < operands; p++) state->buffers[in->buf[p + 1]] = whole[p] + (p < variables ? at : k) * row * (int64_t)sizeof(float);
        error = oc_elementwise(in, state);
    }
    for (int64_t p = 0; p < operands; p++) state->buffers[in->buf[p + 1]] = whole[p];
    return error;
}

// Buffers: result, params, indices. i: indices, their bytes, rows, bytes of a row.
OC_KERNEL(oc_gather) {
    const int64_t count = in->i[0], bytes = in->i[1], limit = in->i[2], row = in->i[3];
    const char *params = state->buffers[in->buf[1]], *indices = state->buffers[in->buf[2]];
    char *out = state->buffers[in->buf[0]];
    if (!all_within(indices, bytes, count, limit)) return OC_BAD_INDEX;
    if (!row) return OC_OK;
    for (int64_t k = 0; k < count; k++) memcpy(out + k * row, params + index_at(indices, bytes, k) * row, (size_t)row);
    return OC_OK;
}
