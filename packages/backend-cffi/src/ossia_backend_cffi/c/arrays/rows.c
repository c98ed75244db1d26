// Rows named by indices: gathered, or updated one after the other by an elementwise pass.
#include "program/program.h"
#include "program/index.h"
#include <string.h>

enum { TOGETHER = 16 };  // rows that are looked through for repeated ones, each against all others
enum { GATHERED = 512, AHEAD = 16 };  // floats of rows that are worked on at a time; rows that are fetched ahead
enum { READ = 2 * GATHERED };         // indices that are read at a time

// Whether indices are within bounds: those of updates are looked through before anything changes, and each is checked again when it is used.
OC_CLONES static int all_within(const char *indices, int64_t bytes, int64_t count, int64_t limit) {
    int outside = 0;
    if (bytes == 4) for (int64_t k = 0; k < count; k++) outside |= (uint64_t)((const int32_t *)indices)[k] >= (uint64_t)limit;
    else for (int64_t k = 0; k < count; k++) outside |= (uint64_t)((const int64_t *)indices)[k] >= (uint64_t)limit;
    return !outside;
}

// Where the rows lie that indices `from` to `to` name, index k in place k % READ; 1 if one is out of range.
static int read_rows(const char *indices, int64_t bytes, int64_t from, int64_t to, int64_t limit, int64_t size, int64_t *rows) {
    int outside = 0;
    for (int64_t k = from; k < to; k++) {
        const int64_t index = oc_index(indices, bytes, k);
        outside |= (uint64_t)index >= (uint64_t)limit;
        rows[k % READ] = (int64_t)((uint64_t)index * (uint64_t)size);
    }
    return outside;
}

// What distinct indices are filled up with to their full number.
static inline int64_t padding(int64_t bytes) { return bytes == 4 ? INT32_MIN : INT64_MIN; }

OC_KERNEL(oc_rows) {
    const int distinct = in->rows.distinct != 0;
    int64_t count = in->rows.count;
    const int64_t row = in->chain.elements, bytes = in->rows.index_bytes, limit = in->rows.limit, variables = in->rows.variables, operands = variables + in->rows.gradients;
    const char *indices = state->buffers[in->rows.indices];
    while (distinct && count && oc_index(indices, bytes, count - 1) == padding(bytes)) count--;
    if (!count || !row) return all_within(indices, bytes, count, limit) ? OC_OK : OC_BAD_INDEX;
    if (!all_within(indices, bytes, count, limit)) return OC_BAD_INDEX;
    // The pass sees rows through the table of buffers, which is put right again at the end: several at a time, copied next to each other,
    // unless one of them is named twice among them.
    static _Thread_local float near[OC_BUFFERS][GATHERED] __attribute__((aligned(64)));
    char *whole[OC_BUFFERS];
    for (int64_t p = 0; p < operands; p++) whole[p] = state->buffers[in->rows.operands[p]];
    const int64_t fitting = row < GATHERED ? GATHERED / row : 1, most = distinct || fitting < TOGETHER ? fitting : TOGETHER;
    const size_t size = (size_t)row * sizeof(float);
    int64_t named[READ], read = 0;
    int error = OC_OK;
    for (int64_t k = 0; k < count;) {
        int64_t at[GATHERED], together = 0;
        if (read < count && read - k < 2 * most) {
            const int64_t end = count - k < READ ? count : k + READ;
            if (read_rows(indices, bytes, read, end, limit, (int64_t)size, named)) { error = OC_CHANGED; break; }
            read = end;
        }
        for (; together < most && k + together < count; together++) {
            at[together] = named[(k + together) % READ];
            int again = 0;
            for (int64_t q = 0; !distinct && q < together; q++) again |= at[q] == at[together];
            if (again) break;
        }
        if (most > 1) for (int64_t q = together; q < 2 * most && k + q < count; q++)
            for (int64_t p = 0; p < variables; p++) {
                const char *next = whole[p] + named[(k + q) % READ];
                for (size_t line = 0; line < size; line += 64) __builtin_prefetch(next + line, 1);
            }
        for (int64_t p = 0; p < variables; p++) {
            if (together > 1 && row == 1) for (int64_t q = 0; q < together; q++) near[p][q] = *(const float *)(whole[p] + at[q]);
            else if (together > 1) for (int64_t q = 0; q < together; q++) memcpy(near[p] + q * row, whole[p] + at[q], size);
            state->buffers[in->rows.operands[p]] = together > 1 ? (char *)near[p] : whole[p] + at[0];
        }
        for (int64_t p = variables; p < operands; p++) state->buffers[in->rows.operands[p]] = whole[p] + k * row * (int64_t)sizeof(float);
        oc_elementwise_rows(in, state, together * row);
        for (int64_t p = 0; together > 1 && p < variables; p++) {
            if (row == 1) for (int64_t q = 0; q < together; q++) *(float *)(whole[p] + at[q]) = near[p][q];
            else for (int64_t q = 0; q < together; q++) memcpy(whole[p] + at[q], near[p] + q * row, size);
        }
        k += together;
    }
    for (int64_t p = 0; p < operands; p++) state->buffers[in->rows.operands[p]] = whole[p];
    return error;
}

typedef struct { const oc_instr *in; const oc_state *state; int64_t parts; int outside; } gathering;

static void gather_part(void *context, int64_t part) {
    gathering *g = context;
    const oc_instr *in = g->in;
    const oc_state *state = g->state;
    const int64_t bytes = in->gather.index_bytes, limit = in->gather.limit, row = in->gather.row_bytes, last = oc_bound(in->gather.count, g->parts, part + 1, 1);
    const char *params = state->buffers[in->gather.params], *indices = state->buffers[in->gather.indices];
    char *out = state->buffers[in->gather.out];
    for (int64_t first = oc_bound(in->gather.count, g->parts, part, 1); first < last; first += READ) {
        const int64_t count = last - first < READ ? last - first : READ;
        const char *from[READ];
        for (int64_t k = 0; k < count; k++) {
            const int64_t index = oc_index(indices, bytes, first + k);
            if (index < 0 || index >= limit) {
                __atomic_store_n(&g->outside, 1, __ATOMIC_RELAXED);
                return;
            }
            from[k] = params + index * row;
        }
        for (int64_t k = 0; row && k < count; k++) {
            if (k + AHEAD < count)
                for (int64_t line = 0; line < row && line < 1024; line += 64) __builtin_prefetch(from[k + AHEAD] + line);
            memcpy(out + (first + k) * row, from[k], (size_t)row);
        }
    }
}

OC_KERNEL(oc_gather) {
    const int64_t count = in->gather.count, row = in->gather.row_bytes;
    gathering g = {in, state, oc_parts(state->threads, (double)count * (20.0 + (double)row * 0.1), count), 0};
    oc_parallel(state->threads, g.parts, gather_part, &g);
    return g.outside ? OC_BAD_INDEX : OC_OK;
}

OC_KERNEL(oc_gather_nd) {
    const int64_t count = in->gather_nd.count, bytes = in->gather_nd.index_bytes, row = in->gather_nd.row_bytes, depth = in->gather_nd.depth, *sizes = in->gather_nd.sizes;
    const char *params = state->buffers[in->gather_nd.params], *indices = state->buffers[in->gather_nd.indices];
    char *out = state->buffers[in->gather_nd.out];
    for (int64_t k = 0; k < count; k++) {
        int64_t place = 0;
        for (int64_t q = 0; q < depth; q++) {
            const int64_t at = oc_index(indices, bytes, k * depth + q);
            if (at < 0 || at >= sizes[q]) return OC_BAD_INDEX;
            place = place * sizes[q] + at;
        }
        if (row == 4) memcpy(out + k * 4, params + place * 4, 4);
        else if (row) memcpy(out + k * row, params + place * row, (size_t)row);
    }
    return OC_OK;
}

OC_CLONES int oc_segment_sums(const oc_instr *in, const oc_state *state) {
    const int64_t count = in->segment_sums.count, bytes = in->segment_sums.index_bytes, limit = in->segment_sums.limit, row = in->segment_sums.row;
    const char *segments = state->buffers[in->segment_sums.segments];
    const float *data = OC_F32(segment_sums.data);
    float *out = OC_F32(segment_sums.out);
    if (limit && row) memset(out, 0, (size_t)(limit * row) * sizeof(float));
    for (int64_t k = 0; k < count; k++) {
        const int64_t at = oc_index(segments, bytes, k);
        if (at >= limit) return OC_BAD_INDEX;
        if (at < 0) continue;
        float *restrict to = out + at * row;
        const float *restrict from = data + k * row;
        for (int64_t j = 0; j < row; j++) to[j] += from[j];
    }
    return OC_OK;
}

// Values that meet too often in the table are refused.
OC_KERNEL(oc_unique) {
    const int64_t count = in->unique.count, bytes = in->unique.bytes, place_bytes = in->unique.place_bytes, size = in->unique.size;
    const char *values = state->buffers[in->unique.values];
    char *distinct = state->buffers[in->unique.distinct], *places = state->buffers[in->unique.places];
    int32_t *table = OC_I32(unique.table);
    int shift = 64;
    for (int64_t k = size; k > 1; k /= 2) shift--;
    memset(table, 0xff, (size_t)size * sizeof *table);
    int64_t found = 0, looks = 64 * count;
    for (int64_t k = 0; k < count; k++) {
        const int64_t value = oc_index(values, bytes, k);
        if (value == padding(bytes)) return OC_REFUSED;
        int64_t at = (int64_t)(((uint64_t)value * UINT64_C(0x9e3779b97f4a7c15)) >> shift);
        while (table[at] >= 0 && oc_index(distinct, bytes, table[at]) != value) {
            if (!looks--) return OC_REFUSED;
            at = (at + 1) & (size - 1);
        }
        if (table[at] < 0) {
            if (bytes == 4) ((int32_t *)distinct)[found] = (int32_t)value;
            else ((int64_t *)distinct)[found] = value;
            table[at] = (int32_t)found++;
        }
        if (place_bytes == 4) ((int32_t *)places)[k] = table[at];
        else ((int64_t *)places)[k] = table[at];
    }
    for (; found < count; found++)
        if (bytes == 4) ((int32_t *)distinct)[found] = INT32_MIN;
        else ((int64_t *)distinct)[found] = INT64_MIN;
    return OC_OK;
}
