// Solutions of triangular systems, without blocks. The columns of the right hand sides are solved together.
#include "program/program.h"
#include "arrays/direct.h"
#include <string.h>

#define SOLVE(NAME, T)                                                                                                                         \
    static inline void NAME##_take(int64_t columns, T factor, const T *restrict from, T *restrict row) {                                      \
        for (int64_t c = 0; c < columns; c++) row[c] -= factor * from[c];                                                                      \
    }                                                                                                                                          \
    OC_CLONES static void NAME(int lower, int transposed, int64_t n, int64_t columns, const T *matrix, T *x) {                                \
        const int down = lower != transposed;                                                                                                  \
        for (int64_t k = 0; k < n; k++) {                                                                                                      \
            const int64_t i = down ? k : n - 1 - k;                                                                                            \
            const T *row = matrix + i * n;                                                                                                     \
            T *own = x + i * columns;                                                                                                          \
            const int64_t first = lower ? 0 : i + 1, last = lower ? i : n;                                                                     \
            if (!transposed) for (int64_t j = first; j < last; j++) NAME##_take(columns, row[j], x + j * columns, own);                       \
            for (int64_t c = 0; c < columns; c++) own[c] /= row[i];                                                                            \
            if (transposed) for (int64_t j = first; j < last; j++) NAME##_take(columns, row[j], own, x + j * columns);                        \
        }                                                                                                                                      \
    }

SOLVE(solve_floats, float)
SOLVE(solve_doubles, double)

// Matrices [count, n, n], of which one triangle is read, and the right hand sides [count, n, columns], which become the solutions.
int oc_triangular(int doubles, int lower, int transposed, int64_t count, int64_t n, int64_t columns, const char *matrices, char *x) {
    for (int64_t k = 0; k < count; k++) {
        const int64_t matrix = k * n * n, side = k * n * columns;
        if (doubles) solve_doubles(lower, transposed, n, columns, (const double *)matrices + matrix, (double *)x + side);
        else solve_floats(lower, transposed, n, columns, (const float *)matrices + matrix, (float *)x + side);
    }
    return 0;
}
