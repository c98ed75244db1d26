// Products of a sparse and a dense matrix.
#include <stdint.h>
#include "arrays/direct.h"
#include "program/index.h"
#include "program/isa.h"

OC_CLONES static void add_f32(float *d, float by, const float *x, int64_t n) { for (int64_t k = 0; k < n; k++) d[k] += by * x[k]; }
OC_CLONES static void add_f64(double *d, double by, const double *x, int64_t n) { for (int64_t k = 0; k < n; k++) d[k] += by * x[k]; }

// out[rows, columns], which is 0, += a b, where a has `count` values at pairs of indices, whose rows are the first of a pair, or the second if
// `turned`. b has `inner` rows.
int oc_sparse_product(int doubles, int64_t count, const char *indices, int index_bytes, int turned, const char *values, const char *b, int64_t rows,
                      int64_t inner, int64_t columns, char *out) {
    for (int64_t k = 0; k < count; k++) {
        const int64_t row = oc_index(indices, index_bytes, 2 * k + (turned != 0)), at = oc_index(indices, index_bytes, 2 * k + !turned);
        if (row < 0 || row >= rows || at < 0 || at >= inner) return 1;
        if (doubles) add_f64((double *)out + row * columns, ((const double *)values)[k], (const double *)b + at * columns, columns);
        else add_f32((float *)out + row * columns, ((const float *)values)[k], (const float *)b + at * columns, columns);
    }
    return 0;
}
