// Products whose second factor stays in the first-level cache, and what follows from their results before these leave the registers.
#ifndef OSSIA_DENSE_H
#define OSSIA_DENSE_H

#include <stdint.h>

// c[m, n] = f(op(a) op(b) + bias). f: nothing, relu, or the gradient of relu for the features `gate`, which lie as c does.
typedef struct {
    int ta, tb, relu;
    int64_t m, n, k, lda, ldb, ldc;
    const float *a, *b, *bias, *gate;
    float *c;
    const char *ahead;      // NULL, or three arrays that are laid out as c, with rows `ahead_row` floats apart: each tile fetches its part of
    int64_t ahead_1, ahead_2, ahead_row;  // them; how many bytes the others lie behind the first
} oc_dense;

enum { OC_RELU = 1, OC_GATE = 2 };  // what follows a product, in its instruction

// Whether `oc_dense_rows` knows how to compute products of these sizes here.
int oc_dense_fits(int ta, int tb, int64_t m, int64_t n, int64_t k);

// Computes the product on this thread. The scratch is that of a product of these sizes (`oc_gemm`). Every element is summed in one order.
void oc_dense_rows(const oc_dense *d, float *scratch);

// Turns columns `first` to `last` (multiples of 16, or the end) of a second factor round that lies turned: `turned` is what `straight`
// rows of it, each a multiple of 16 floats wide, are read from.
void oc_dense_turn(float *turned, const oc_dense *d, int64_t first, int64_t last);

// What follows the product, for an array c that holds it.
void oc_dense_finish(const oc_dense *d);

#endif
