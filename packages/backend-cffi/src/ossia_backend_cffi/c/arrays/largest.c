// The largest elements of rows, the largest first; of equal ones those that stand first.
#include "program/program.h"
#include "arrays/direct.h"
#include <string.h>

enum { MOST = 64, TOGETHER = 32 };

typedef struct {
    const char *x;
    int64_t rows, width, k, parts;
    char *values;
    int32_t *places;
    int unordered;  // whether a row has NaN
} ranking;

// The k largest so far are kept in order. What follows is compared with the least of them, some elements at a time.
#define LARGEST(NAME, T, UNORDERED)                                                                               \
    OC_CLONES static int NAME(const T *row, int64_t width, int64_t k, T *values, int32_t *places) {               \
        T kept[MOST];                                                                                             \
        int32_t at[MOST];                                                                                         \
        int64_t held = 0, j = 0;                                                                                  \
        while (j < width) {                                                                                       \
            if (held == k && width - j >= TOGETHER) {                                                             \
                const T y = kept[k - 1];                                                                          \
                int any = 0;                                                                                      \
                for (int q = 0; q < TOGETHER; q++) { const T x = row[j + q]; any |= (x > y) | (UNORDERED); }      \
                if (!any) { j += TOGETHER; continue; }                                                            \
            }                                                                                                     \
            const int64_t end = width - j < TOGETHER ? width : j + TOGETHER;                                      \
            for (; j < end; j++) {                                                                                \
                const T x = row[j];                                                                               \
                if (UNORDERED) return 1;                                                                          \
                int64_t to = held;                                                                                \
                for (; to > 0; to--) {                                                                            \
                    const T y = kept[to - 1];                                                                     \
                    if (!(x > y)) break;                                                                          \
                    if (to < k) { kept[to] = y; at[to] = at[to - 1]; }                                            \
                }                                                                                                 \
                if (to == k) continue;                                                                            \
                kept[to] = x;                                                                                     \
                at[to] = (int32_t)j;                                                                              \
                held += held < k;                                                                                 \
            }                                                                                                     \
        }                                                                                                         \
        memcpy(values, kept, (size_t)k * sizeof(T));                                                              \
        memcpy(places, at, (size_t)k * sizeof(int32_t));                                                          \
        return 0;                                                                                                 \
    }                                                                                                             \
    static void NAME##_part(void *context, int64_t part) {                                                        \
        ranking *r = context;                                                                                     \
        const int64_t last = oc_bound(r->rows, r->parts, part + 1, 1);                                            \
        for (int64_t row = oc_bound(r->rows, r->parts, part, 1); row < last; row++)                               \
            if (NAME((const T *)r->x + row * r->width, r->width, r->k, (T *)r->values + row * r->k, r->places + row * r->k))\
                __atomic_store_n(&r->unordered, 1, __ATOMIC_RELAXED);                                             \
    }

LARGEST(of_floats, float, x != x)
LARGEST(of_doubles, double, x != x)
LARGEST(of_ints, int32_t, 0)
LARGEST(of_longs, int64_t, 0)

// The k largest of each of `rows` rows, at least one and at most as many as are kept; 1 for another number, and where there is NaN.
int oc_largest(int kind, int64_t rows, int64_t width, int64_t k, const char *x, int threads, char *values, int32_t *places) {
    static const oc_work PARTS[] = {of_floats_part, of_doubles_part, of_ints_part, of_longs_part};
    if (kind < 0 || kind > 3 || k < 1 || k > MOST || k > width || width > INT32_MAX || rows < 0) return 1;
    ranking r = {x, rows, width, k, 1, values, places, 0};
    r.parts = oc_parts(threads, (double)rows * (double)width * 0.3, rows);
    oc_parallel(threads, r.parts, PARTS[kind], &r);
    return r.unordered;
}

OC_KERNEL(oc_largest_of_rows) {
    const int refused = oc_largest((int)in->largest.kind, in->largest.rows, in->largest.width, in->largest.k, state->buffers[in->largest.x], state->threads,
                                   state->buffers[in->largest.values], OC_I32(largest.places));
    return refused ? OC_REFUSED : OC_OK;
}
