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
    const char *ahead;      // what is needed next, to be fetched meanwhile: so many lines from here on, and as many so many bytes further on
    int64_t lines, ahead_1, ahead_2;
    int64_t every;          // of a tile: in which steps it fetches some
} oc_dense;

enum { OC_RELU = 1, OC_GATE = 2 };  // what follows a product, in its instruction

// Whether `oc_dense_rows` knows how to compute products of these sizes here.
int oc_dense_fits(int ta, int tb, int64_t m, int64_t n, int64_t k);

// Computes the product on this thread. The scratch is that of a product of these sizes (`oc_gemm`). Every element is summed in one order.
void oc_dense_rows(const oc_dense *d, float *scratch);

// What follows the product, for an array c that holds it.
void oc_dense_finish(const oc_dense *d);

#endif
