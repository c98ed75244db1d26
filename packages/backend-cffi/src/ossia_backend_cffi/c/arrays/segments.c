// Reductions of rows that belong together: sorted segments, whose rows may be chosen by indices, and unsorted ones.
#include "program/program.h"
#include "arrays/direct.h"
#include "program/index.h"
#include <math.h>
#include <string.h>

enum { SUM, MEAN, SQRT_N, PROD, MAX, MIN, SORTED };  // SORTED is added to what sorted segments compute in another way
enum { OF_F32, OF_F64, OF_I32, OF_I64 };

// One row more in a total. Of the sorted extremes, NaN is passed over; of the unsorted ones, what follows it counts anew.
#define EACH(T, EXPR) for (int64_t j = 0; j < width; j++) { const T a = to[j], b = from[j]; to[j] = (EXPR); } break
#define ADD_ROW(NAME, T, U)                                                                                                \
    OC_CLONES static void NAME##_row(int how, int64_t width, T *restrict to, const T *restrict from) {          \
        switch (how) {                                                                                                      \
        case PROD: EACH(T, (T)((U)a * (U)b));                                                                               \
        case MAX: EACH(T, a > b ? a : b);                                                                                   \
        case MIN: EACH(T, a < b ? a : b);                                                                                   \
        case MAX + SORTED: EACH(T, b > a ? b : a);                                                                          \
        case MIN + SORTED: EACH(T, b < a ? b : a);                                                                          \
        default: EACH(T, (T)((U)a + (U)b));                                                                                 \
        }                                                                                                                   \
    }

#define KERNELS(NAME, T, U, LOWEST, HIGHEST, LEAST, MOST)                                                                   \
    ADD_ROW(NAME, T, U)                                                                                                     \
    static int NAME##_sorted(int how, int64_t rows, int64_t width, const T *data, int64_t data_rows, const char *ids, int id_bytes, \
                             const char *indices, int index_bytes, int64_t count, T *out) {                                 \
        int64_t next = 0;                                                                                                   \
        for (int64_t k = 0; k < rows;) {                                                                                    \
            const int64_t id = oc_index(ids, id_bytes, k);                                                                  \
            if (id < next || id >= count) return 1;                                                                         \
            int64_t end = k + 1;                                                                                            \
            while (end < rows && oc_index(ids, id_bytes, end) == id) end++;                                                 \
            if (how == PROD) for (int64_t j = next * width; j < id * width; j++) out[j] = 1;                                \
            else if (id > next && width) memset(out + next * width, 0, (size_t)((id - next) * width) * sizeof(T));          \
            T *to = out + id * width;                                                                                       \
            for (int64_t r = k; r < end; r++) {                                                                             \
                const int64_t from = indices ? oc_index(indices, index_bytes, r) : r;                                       \
                if (from < 0 || from >= data_rows) return 1;                                                                \
                const T *row = data + from * width;                                                                         \
                if (r > k || ((how == MAX || how == MIN) && end > k + 1)) {                                                 \
                    if (r == k) for (int64_t j = 0; j < width; j++) to[j] = how == MAX ? LEAST : MOST;                      \
                    NAME##_row(how == MAX || how == MIN ? how + SORTED : how, width, to, row);                                                                 \
                } else if (width) memcpy(to, row, (size_t)width * sizeof(T));                                               \
            }                                                                                                               \
            if (how == MEAN || how == SQRT_N) {                                                                             \
                const T by = how == MEAN ? (T)(end - k) : (T)sqrt((double)(end - k));                                       \
                for (int64_t j = 0; j < width; j++) to[j] /= by;                                                            \
            }                                                                                                               \
            next = id + 1;                                                                                                  \
            k = end;                                                                                                        \
        }                                                                                                                   \
        for (int64_t j = next * width; j < count * width; j++) out[j] = how == PROD;                                        \
        return 0;                                                                                                           \
    }                                                                                                                       \
    static int NAME##_unsorted(int how, int64_t rows, int64_t width, const T *data, const char *ids, int id_bytes, int64_t count, \
                               T *out) {                                                                                    \
        const T first = how == PROD ? 1 : how == MAX ? LOWEST : how == MIN ? HIGHEST : 0;                                   \
        for (int64_t j = 0; j < count * width; j++) out[j] = first;                                                         \
        for (int64_t k = 0; k < rows; k++) {                                                                                \
            const int64_t id = oc_index(ids, id_bytes, k);                                                                  \
            if (id >= count) return 1;                                                                                      \
            if (id >= 0) NAME##_row(how, width, out + id * width, data + k * width);                                     \
        }                                                                                                                   \
        return 0;                                                                                                           \
    }

KERNELS(f32, float, float, -3.40282346638528859812e38f, 3.40282346638528859812e38f, -INFINITY, INFINITY)
KERNELS(f64, double, double, -1.7976931348623157081e308, 1.7976931348623157081e308, -INFINITY, INFINITY)
KERNELS(i32, int32_t, uint32_t, INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX)
KERNELS(i64, int64_t, uint64_t, INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX)

// out[ids[r]] gathers row indices[r] of data, or row r without indices; ids ascend.
int oc_segments(int how, int kind, int64_t rows, int64_t width, const char *data, int64_t data_rows, const char *ids, int id_bytes,
                const char *indices, int index_bytes, int64_t count, char *out) {
    switch (kind) {
    case OF_F32: return f32_sorted(how, rows, width, (const float *)data, data_rows, ids, id_bytes, indices, index_bytes, count, (float *)out);
    case OF_F64: return f64_sorted(how, rows, width, (const double *)data, data_rows, ids, id_bytes, indices, index_bytes, count, (double *)out);
    case OF_I32: return i32_sorted(how, rows, width, (const int32_t *)data, data_rows, ids, id_bytes, indices, index_bytes, count, (int32_t *)out);
    default: return i64_sorted(how, rows, width, (const int64_t *)data, data_rows, ids, id_bytes, indices, index_bytes, count, (int64_t *)out);
    }
}

// out[ids[r]] gathers row r of data; rows of negative ids are left out.
int oc_unsorted_segments(int how, int kind, int64_t rows, int64_t width, const char *data, const char *ids, int id_bytes,
                         int64_t count, char *out) {
    switch (kind) {
    case OF_F32: return f32_unsorted(how, rows, width, (const float *)data, ids, id_bytes, count, (float *)out);
    case OF_F64: return f64_unsorted(how, rows, width, (const double *)data, ids, id_bytes, count, (double *)out);
    case OF_I32: return i32_unsorted(how, rows, width, (const int32_t *)data, ids, id_bytes, count, (int32_t *)out);
    default: return i64_unsorted(how, rows, width, (const int64_t *)data, ids, id_bytes, count, (int64_t *)out);
    }
}
