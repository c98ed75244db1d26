// Integer arithmetic, wrapping, and comparison, with broadcasting.
#include "program/program.h"
#include "program/index.h"
#include <string.h>

enum { I_ADD, I_SUB, I_MUL, I_MAX, I_MIN, I_LT, I_LE, I_GT, I_GE, I_EQ, I_NE, I_FLOORDIV, I_FLOORMOD, I_TRUNCATEDIV, I_TRUNCATEMOD };

enum { BLOCK = 512 };  // elements that are computed together, once both operands lie there one after the other

#define LOOP(EXPR, TARGET, P, Q) for (int64_t k = 0; k < n; k++) { const int64_t p = (P), q = (Q); TARGET[k] = (EXPR); }
// The same, in loops that the compiler can vectorise: operands that follow each other, or one number.
#define FAST(EXPR, TARGET)                                    \
    if (step_x && step_y) { LOOP(EXPR, TARGET, k, k) }        \
    else if (step_x) { LOOP(EXPR, TARGET, k, 0) }             \
    else { LOOP(EXPR, TARGET, 0, k * step_y) }                \
    break

// Quotients, whose operands are each read once: the divisor must be what it was checked to be. Whether one is 0 is noted. The one quotient that
// does not fit, by -1, wraps.
#define DIVIDE(T, EXPR)                                                                                         \
    for (int64_t k = 0; k < n; k++) {                                                                           \
        const T a = (T)oc_index((const char *)x, (int64_t)sizeof(T), k * step_x);                               \
        const T b = (T)oc_index((const char *)y, (int64_t)sizeof(T), k * step_y);                               \
        zero |= !b;                                                                                             \
        d[k] = (T)(b ? (EXPR) : 0);                                                                             \
    }                                                                                                           \
    break
#define BELOW (a % b != 0 && (a < 0) != (b < 0))  // whether rounding down gives another quotient than cutting off

#define KERNEL(NAME, T, U)                                                                                      \
    /* Elements `start` to `start + n` of an operand: element i lies at (i / every) % size. */                  \
    static const T *NAME##_part(T *d, const T *s, int64_t start, int64_t n, int64_t every, int64_t size) {      \
        for (int64_t k = 0; k < n;) {                                                                           \
            const int64_t at = ((start + k) / every) % size;                                                    \
            if (every == 1) {                                                                                   \
                const int64_t run = size - at < n - k ? size - at : n - k;                                      \
                if (run == n) return s + at;                                                                    \
                memcpy(d + k, s + at, (size_t)run * sizeof(T));                                                 \
                k += run;                                                                                       \
            } else {                                                                                            \
                const int64_t left = every - (start + k) % every, run = left < n - k ? left : n - k;            \
                for (int64_t j = 0; j < run; j++) d[k + j] = s[at];                                             \
                k += run;                                                                                       \
            }                                                                                                   \
        }                                                                                                       \
        return d;                                                                                               \
    }                                                                                                           \
    OC_CLONES static int NAME##_block(int op, int64_t n, void *out, const T *x, int64_t step_x, const T *y, int64_t step_y) { \
        T *restrict d = out;                                                                                    \
        uint8_t *restrict t = out;                                                                              \
        int zero = 0;                                                                                           \
        switch (op) {                                                                                           \
        case I_ADD: FAST((T)((U)x[p] + (U)y[q]), d);                                                            \
        case I_SUB: FAST((T)((U)x[p] - (U)y[q]), d);                                                            \
        case I_MUL: FAST((T)((U)x[p] * (U)y[q]), d);                                                            \
        case I_MAX: FAST(x[p] > y[q] ? x[p] : y[q], d);                                                         \
        case I_MIN: FAST(x[p] < y[q] ? x[p] : y[q], d);                                                         \
        case I_LT: FAST(x[p] < y[q], t);                                                                        \
        case I_LE: FAST(x[p] <= y[q], t);                                                                       \
        case I_GT: FAST(x[p] > y[q], t);                                                                        \
        case I_GE: FAST(x[p] >= y[q], t);                                                                       \
        case I_EQ: FAST(x[p] == y[q], t);                                                                       \
        case I_NE: FAST(x[p] != y[q], t);                                                                       \
        case I_FLOORDIV: DIVIDE(T, b == -1 ? (T)(0 - (U)a) : (T)(a / b - BELOW));                               \
        case I_FLOORMOD: DIVIDE(T, b == -1 ? 0 : (T)(a % b + (BELOW ? b : 0)));                                 \
        case I_TRUNCATEDIV: DIVIDE(T, b == -1 ? (T)(0 - (U)a) : (T)(a / b));                                    \
        default: DIVIDE(T, b == -1 ? 0 : (T)(a % b));                                                           \
        }                                                                                                       \
        return zero;                                                                                            \
    }                                                                                                           \
    /* Whether a divisor is 0. */                                                                               \
    static int NAME(int op, int64_t n, const int64_t *pattern, char *out, const T *x, const T *y) {             \
        const int64_t ea = pattern[0], sa = pattern[1], eb = pattern[2], sb = pattern[3];                       \
        const int64_t bytes = op >= I_LT && op <= I_NE ? 1 : (int64_t)sizeof(T);                                \
        T left[BLOCK], right[BLOCK];                                                                            \
        int zero = 0;                                                                                           \
        for (int64_t start = 0; start < n; start += BLOCK) {                                                    \
            const int64_t some = n - start < BLOCK ? n - start : BLOCK;                                         \
            const T *a = sa == 1 ? x : NAME##_part(left, x, start, some, ea, sa);                               \
            const T *b = sb == 1 ? y : NAME##_part(right, y, start, some, eb, sb);                              \
            zero |= NAME##_block(op, some, out + start * bytes, a, sa != 1, b, sb != 1);                        \
        }                                                                                                       \
        return zero;                                                                                            \
    }

KERNEL(of_i32, int32_t, uint32_t)
KERNEL(of_i64, int64_t, uint64_t)

OC_KERNEL(oc_integers) {
    const int operation = (int)in->integers.operation;
    const int64_t n = in->integers.elements, *patterns = in->integers.patterns;
    char *out = state->buffers[in->integers.out];
    const int zero = in->integers.item == 4 ? of_i32(operation, n, patterns, out, OC_I32(integers.a), OC_I32(integers.b))
                                            : of_i64(operation, n, patterns, out, OC_I64(integers.a), OC_I64(integers.b));
    return zero ? OC_ZERO_DIVISION : OC_OK;
}

// What x86 gives for NaN and for numbers that do not fit is the smallest integer.
static inline int32_t to_i32(float x) { return x >= -2147483648.0f && x < 2147483648.0f ? (int32_t)x : INT32_MIN; }
static inline int64_t to_i64(float x) { return x >= -9223372036854775808.0f && x < 9223372036854775808.0f ? (int64_t)x : INT64_MIN; }

#define CONVERT(NAME, FROM, TO, EXPR) \
    OC_CLONES static void NAME(int64_t n, const FROM *from, TO *to) { for (int64_t k = 0; k < n; k++) { const FROM x = from[k]; to[k] = (EXPR); } }

CONVERT(float_to_i32, float, int32_t, to_i32(x))
CONVERT(float_to_i64, float, int64_t, to_i64(x))
CONVERT(i64_to_i32, int64_t, int32_t, (int32_t)(uint32_t)(uint64_t)x)
CONVERT(i32_to_i64, int32_t, int64_t, x)

OC_KERNEL(oc_cast) {
    const int64_t n = in->cast.elements, bytes = in->cast.out_item;
    if (in->cast.of_floats && bytes == 8) float_to_i64(n, OC_F32(cast.x), OC_I64(cast.out));
    else if (in->cast.of_floats) float_to_i32(n, OC_F32(cast.x), OC_I32(cast.out));
    else if (in->cast.item == bytes) memmove(OC_U8(cast.out), OC_U8(cast.x), (size_t)(n * bytes));
    else if (bytes == 8) i32_to_i64(n, OC_I32(cast.x), OC_I64(cast.out));
    else i64_to_i32(n, OC_I64(cast.x), OC_I32(cast.out));
    return OC_OK;
}
