// Matrix products: a small kernel of our own where a BLAS call costs more than the work, the BLAS of numpy otherwise.
#include "program.h"
#include <string.h>

typedef void (*sgemm_fn)(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda, const float *b,
                         int64_t ldb, float beta, float *c, int64_t ldc);
static sgemm_fn blas_sgemm;

// Sets the cblas_sgemm to use (64-bit integers); NULL for none.
void oc_set_sgemm(void *fn) { blas_sgemm = (sgemm_fn)fn; }

typedef float v16 __attribute__((vector_size(64), aligned(4)));

// c[m, n] = a[m, k] * b[k, n], rows of a `sa` and elements `ea` apart, b and c dense along n.
OC_CLONES static void small_product(int64_t m, int64_t n, int64_t k, const float *a, int64_t sa, int64_t ea, const float *b, int64_t sb, float *c,
                                     float *tail) {
    for (int64_t j = 0; j < n;) {
        const int64_t wide = n - j >= 32 ? 32 : n - j >= 16 ? 16 : n - j;
        int64_t i = 0;
        if (wide == 32) {
            for (; i + 4 <= m; i += 4) {
                v16 x00 = {0}, x01 = {0}, x10 = {0}, x11 = {0}, x20 = {0}, x21 = {0}, x30 = {0}, x31 = {0};
                const float *r = a + i * sa;
                for (int64_t p = 0; p < k; p++) {
                    const v16 b0 = *(const v16 *)(b + p * sb + j), b1 = *(const v16 *)(b + p * sb + j + 16);
                    const float a0 = r[p * ea], a1 = r[sa + p * ea], a2 = r[2 * sa + p * ea], a3 = r[3 * sa + p * ea];
                    x00 += a0 * b0; x01 += a0 * b1; x10 += a1 * b0; x11 += a1 * b1;
                    x20 += a2 * b0; x21 += a2 * b1; x30 += a3 * b0; x31 += a3 * b1;
                }
                float *o = c + i * n + j;
                *(v16 *)o = x00; *(v16 *)(o + 16) = x01;
                *(v16 *)(o + n) = x10; *(v16 *)(o + n + 16) = x11;
                *(v16 *)(o + 2 * n) = x20; *(v16 *)(o + 2 * n + 16) = x21;
                *(v16 *)(o + 3 * n) = x30; *(v16 *)(o + 3 * n + 16) = x31;
            }
            for (; i < m; i++) {
                v16 x0 = {0}, x1 = {0};
                for (int64_t p = 0; p < k; p++) {
                    const float a0 = a[i * sa + p * ea];
                    x0 += a0 * *(const v16 *)(b + p * sb + j);
                    x1 += a0 * *(const v16 *)(b + p * sb + j + 16);
                }
                *(v16 *)(c + i * n + j) = x0; *(v16 *)(c + i * n + j + 16) = x1;
            }
        } else if (wide == 16) {
            for (; i + 4 <= m; i += 4) {
                v16 x0 = {0}, x1 = {0}, x2 = {0}, x3 = {0};
                const float *r = a + i * sa;
                for (int64_t p = 0; p < k; p++) {
                    const v16 b0 = *(const v16 *)(b + p * sb + j);
                    x0 += r[p * ea] * b0; x1 += r[sa + p * ea] * b0; x2 += r[2 * sa + p * ea] * b0; x3 += r[3 * sa + p * ea] * b0;
                }
                float *o = c + i * n + j;
                *(v16 *)o = x0; *(v16 *)(o + n) = x1; *(v16 *)(o + 2 * n) = x2; *(v16 *)(o + 3 * n) = x3;
            }
            for (; i < m; i++) {
                v16 x = {0};
                for (int64_t p = 0; p < k; p++) x += a[i * sa + p * ea] * *(const v16 *)(b + p * sb + j);
                *(v16 *)(c + i * n + j) = x;
            }
        } else {
            // The last columns, filled up to a vector.
            memset(tail, 0, (size_t)k * 16 * sizeof(float));
            for (int64_t p = 0; p < k; p++) for (int64_t q = 0; q < wide; q++) tail[p * 16 + q] = b[p * sb + j + q];
            float rows[4][16];
            for (; i + 4 <= m; i += 4) {
                v16 x0 = {0}, x1 = {0}, x2 = {0}, x3 = {0};
                const float *r = a + i * sa;
                for (int64_t p = 0; p < k; p++) {
                    const v16 b0 = *(const v16 *)(tail + p * 16);
                    x0 += r[p * ea] * b0; x1 += r[sa + p * ea] * b0; x2 += r[2 * sa + p * ea] * b0; x3 += r[3 * sa + p * ea] * b0;
                }
                *(v16 *)rows[0] = x0; *(v16 *)rows[1] = x1; *(v16 *)rows[2] = x2; *(v16 *)rows[3] = x3;
                for (int q = 0; q < 4; q++) memcpy(c + (i + q) * n + j, rows[q], (size_t)wide * sizeof(float));
            }
            for (; i < m; i++) {
                v16 x = {0};
                for (int64_t p = 0; p < k; p++) x += a[i * sa + p * ea] * *(const v16 *)(tail + p * 16);
                *(v16 *)rows[0] = x;
                memcpy(c + i * n + j, rows[0], (size_t)wide * sizeof(float));
            }
        }
        j += wide;
    }
}

OC_CLONES static void plain_product(int ta, int tb, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda, const float *b, int64_t ldb, float beta,
                                    float *c, int64_t ldc) {
    for (int64_t i = 0; i < m; i++) {
        float *row = c + i * ldc;
        for (int64_t j = 0; j < n; j++) row[j] = beta == 0.0f ? 0.0f : beta * row[j];
        for (int64_t p = 0; p < k; p++) {
            const float x = ta ? a[p * lda + i] : a[i * lda + p];
            if (tb) for (int64_t j = 0; j < n; j++) row[j] += x * b[j * ldb + p];
            else for (int64_t j = 0; j < n; j++) row[j] += x * b[p * ldb + j];
        }
    }
}

void oc_gemm(int ta, int tb, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda, const float *b, int64_t ldb, float beta, float *c,
             int64_t ldc) {
    if (blas_sgemm) blas_sgemm(101, ta ? 112 : 111, tb ? 112 : 111, m, n, k, 1.0f, a, lda, b, ldb, beta, c, ldc);
    else plain_product(ta, tb, m, n, k, a, lda, b, ldb, beta, c, ldc);
}

// c = op(a) op(b). i: m, n, k, transpose a, transpose b, use the BLAS, bytes of scratch for a transposed b.
OC_KERNEL(oc_matmul) {
    const int64_t m = in->i[0], n = in->i[1], k = in->i[2];
    const int ta = (int)in->i[3], tb = (int)in->i[4];
    const float *a = OC_F32(1), *b = OC_F32(2);
    float *c = OC_F32(0);
    if (m == 0 || n == 0) return OC_OK;
    if (k == 0) { memset(c, 0, (size_t)(m * n) * sizeof(float)); return OC_OK; }
    if (in->i[5] && blas_sgemm) {
        blas_sgemm(101, ta ? 112 : 111, tb ? 112 : 111, m, n, k, 1.0f, a, ta ? m : k, b, tb ? k : n, 0.0f, c, n);
        return OC_OK;
    }
    float *packed = (float *)state->scratch, *tail = packed;
    if (tb) {
        tail += n * k;
        for (int64_t j = 0; j < n; j++)
            for (int64_t p = 0; p < k; p++) packed[p * n + j] = b[j * k + p];
        b = packed;
    }
    small_product(m, n, k, a, ta ? 1 : k, ta ? m : 1, b, n, c, tail);
    return OC_OK;
}
