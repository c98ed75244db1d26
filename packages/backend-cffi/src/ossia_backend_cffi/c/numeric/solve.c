// Systems of linear equations: factors with pivots, and elimination in matrices of three diagonals.
#include "program/program.h"
#include "arrays/direct.h"
#include <math.h>
#include <string.h>

// One step of elimination below row k; the rows are `n` long.
#define FACTORS(NAME, T)                                                                                            \
    OC_CLONES static void NAME##_step(int64_t n, int64_t k, T *a) {                                                 \
        const T *restrict top = a + k * n;                                                                          \
        for (int64_t r = k + 1; r < n; r++) {                                                                       \
            T *restrict row = a + r * n;                                                                            \
            const T factor = row[k] = row[k] / top[k];                                                              \
            for (int64_t c = k + 1; c < n; c++) row[c] -= factor * top[c];                                          \
        }                                                                                                           \
    }                                                                                                               \
    static int NAME##_factors(int64_t n, T *a, int64_t *order) {                                                    \
        for (int64_t k = 0; k < n; k++) order[k] = k;                                                               \
        for (int64_t k = 0; k < n; k++) {                                                                           \
            int64_t best = k;                                                                                       \
            for (int64_t r = k; r < n; r++) {                                                                       \
                const T size = a[r * n + k] < 0 ? -a[r * n + k] : a[r * n + k], most = a[best * n + k] < 0 ? -a[best * n + k] : a[best * n + k]; \
                if (size > most || (size != size && most == most)) best = r;                                        \
            }                                                                                                       \
            if (best != k) {                                                                                        \
                for (int64_t c = 0; c < n; c++) { const T held = a[k * n + c]; a[k * n + c] = a[best * n + c]; a[best * n + c] = held; } \
                const int64_t held = order[k]; order[k] = order[best]; order[best] = held;                          \
            }                                                                                                       \
            const T pivot = a[k * n + k];                                                                           \
            if (!(pivot > 0 || pivot < 0)) return 1;                                                                \
            NAME##_step(n, k, a);                                                                                   \
        }                                                                                                           \
        return 0;                                                                                                   \
    }                                                                                                               \
    /* Elimination without and with exchanges of rows; `above` and `scratch` have n and 3 * n numbers. */              \
    static int NAME##_in_order(int64_t n, int64_t columns, const T *d, const T *rhs, T *above, T *x) {              \
        for (int64_t i = 0; i < n; i++) {                                                                           \
            const T lower = i ? d[2 * n + i] : 0, pivot = i ? d[n + i] - lower * above[i - 1] : d[n];               \
            if (pivot == 0) return 1;                                                                               \
            above[i] = d[i] / pivot;                                                                                \
            T *row = x + i * columns;                                                                               \
            const T *own = rhs + i * columns;                                                                       \
            if (!i) for (int64_t c = 0; c < columns; c++) row[c] = own[c] / pivot;                                  \
            else for (int64_t c = 0; c < columns; c++) row[c] = (own[c] - lower * row[c - columns]) / pivot;        \
        }                                                                                                           \
        for (int64_t i = n - 2; i >= 0; i--)                                                                        \
            for (int64_t c = 0; c < columns; c++) x[i * columns + c] -= above[i] * x[(i + 1) * columns + c];        \
        return 0;                                                                                                   \
    }                                                                                                               \
    static int NAME##_exchanged(int64_t n, int64_t columns, const T *d, const T *rhs, T *scratch, T *x) { \
        const T *above = d, *main = d + n, *below = d + 2 * n;                                                      \
        T *pivots = scratch, *nexts = scratch + n, *seconds = scratch + 2 * n;                                      \
        memcpy(x, rhs, (size_t)(n * columns) * sizeof(T));                                                          \
        memcpy(pivots, main, (size_t)n * sizeof(T));                                                                \
        memcpy(nexts, above, (size_t)n * sizeof(T));                                                                \
        memset(seconds, 0, (size_t)n * sizeof(T));                                                                  \
        nexts[n - 1] = 0;                                                                                           \
        for (int64_t i = 0; i + 1 < n; i++) {                                                                       \
            T *first = x + i * columns, *second = first + columns, lower = below[i + 1];                            \
            T middle = main[i + 1], last = i + 2 < n ? above[i + 1] : 0;                                            \
            if ((lower < 0 ? -lower : lower) > (pivots[i] < 0 ? -pivots[i] : pivots[i])) {             \
                const T pivot = pivots[i], next = nexts[i];                                                         \
                pivots[i] = lower; nexts[i] = middle; seconds[i] = last;                                            \
                lower = pivot; middle = next; last = 0;                                                             \
                for (int64_t c = 0; c < columns; c++) { const T held = first[c]; first[c] = second[c]; second[c] = held; } \
            }                                                                                                       \
            if (pivots[i] == 0) return 1;                                                                           \
            const T factor = lower / pivots[i];                                                                     \
            pivots[i + 1] = middle - factor * nexts[i];                                                             \
            nexts[i + 1] = last - factor * seconds[i];                                                              \
            for (int64_t c = 0; c < columns; c++) second[c] -= factor * first[c];                                   \
        }                                                                                                           \
        if (pivots[n - 1] == 0) return 1;                                                                           \
        for (int64_t i = n - 1; i >= 0; i--) {                                                                      \
            T *row = x + i * columns;                                                                               \
            if (i + 1 < n) for (int64_t c = 0; c < columns; c++) row[c] -= nexts[i] * row[columns + c];             \
            if (i + 2 < n) for (int64_t c = 0; c < columns; c++) row[c] -= seconds[i] * row[2 * columns + c]; \
            for (int64_t c = 0; c < columns; c++) row[c] /= pivots[i];                                              \
        }                                                                                                           \
        return 0;                                                                                                   \
    }

FACTORS(f32, float)
FACTORS(f64, double)

// The factors of `count` matrices of n by n, in place, and the order that their rows come into.
int oc_lu(int kind, int64_t count, int64_t n, char *packed, int64_t *order) {
    for (int64_t m = 0; m < count; m++) {
        const int refused = kind ? f64_factors(n, (double *)packed + m * n * n, order + m * n)
                                 : f32_factors(n, (float *)packed + m * n * n, order + m * n);
        if (refused) return 1;
    }
    return 0;
}

// out[m] of n rows solves the equations of the three diagonals of n numbers each in diagonals[m].
int oc_tridiagonal(int kind, int exchanges, int64_t count, int64_t n, int64_t columns, const char *diagonals, const char *rhs,
                   char *scratch, char *out) {
    if (n < 1) return 1;
    for (int64_t m = 0; m < count; m++) {
        const int64_t d = m * 3 * n, x = m * n * columns;
        const int refused = kind ? (exchanges ? f64_exchanged : f64_in_order)(n, columns, (const double *)diagonals + d,
                                                                              (const double *)rhs + x, (double *)scratch, (double *)out + x)
                                 : (exchanges ? f32_exchanged : f32_in_order)(n, columns, (const float *)diagonals + d,
                                                                              (const float *)rhs + x, (float *)scratch, (float *)out + x);
        if (refused) return 1;
    }
    return 0;
}
