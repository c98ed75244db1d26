// A program is a flat list of instructions over numbered buffers; one call runs it.
#ifndef OSSIA_PROGRAM_H
#define OSSIA_PROGRAM_H

#include "isa.h"
#include "pool.h"
#include <stdint.h>

enum { OC_BUFFERS = 12, OC_INTS = 24, OC_FLOATS = 8 };

typedef struct {
    int32_t kernel;           // which kernel, see the table in program.c
    int32_t node;             // index of the node it belongs to, for errors
    int32_t buf[OC_BUFFERS];  // operands: indices into the buffer table
    int64_t i[OC_INTS];       // sizes and flags
    double f[OC_FLOATS];      // constants
} oc_instr;

typedef struct oc_stack oc_stack;
typedef struct oc_watch oc_watch;

// What a kernel gets besides its instruction: the buffers, and the table that variable-length parameters lie in.
typedef struct {
    char **buffers;
    const int32_t *code;
    char *scratch;            // as many bytes as the program asked for
    int threads;              // how many may share the work of an instruction
    oc_stack *stacks;         // these two for programs with branches and loops (control.h)
    oc_watch *watch;
} oc_state;

// A number of threads that a program may run on.
static inline int oc_threads(int wanted) { return wanted < 1 ? 1 : wanted > OC_MAX_THREADS ? OC_MAX_THREADS : wanted; }

typedef int (*oc_kernel)(const oc_instr *, const oc_state *);

// Errors that a kernel returns; 0 is success. OC_CHANGED: an index has changed while it was used, after some variables have.
enum { OC_OK = 0, OC_BAD_INDEX = 1, OC_ZERO_DIVISION = 2, OC_REFUSED = 3, OC_NO_MEMORY = 4, OC_STOPPED = 5, OC_CHANGED = 6 };

extern const oc_kernel oc_kernels[];

#define OC_F32(n) ((float *)state->buffers[in->buf[n]])
#define OC_I32(n) ((int32_t *)state->buffers[in->buf[n]])
#define OC_I64(n) ((int64_t *)state->buffers[in->buf[n]])
#define OC_U8(n) ((uint8_t *)state->buffers[in->buf[n]])

#define OC_KERNEL(name) int name(const oc_instr *in, const oc_state *state)

OC_KERNEL(oc_elementwise);
OC_KERNEL(oc_matmul);
OC_KERNEL(oc_reduce);
OC_KERNEL(oc_softmax);
OC_KERNEL(oc_xent);
OC_KERNEL(oc_sparse_xent);
OC_KERNEL(oc_strided_copy);
OC_KERNEL(oc_copy);
OC_KERNEL(oc_argmax);
OC_KERNEL(oc_add_scalar_i32);
OC_KERNEL(oc_add_scalar_i64);
OC_KERNEL(oc_in_range);
OC_KERNEL(oc_sgd);
OC_KERNEL(oc_momentum);
OC_KERNEL(oc_adam);
OC_KERNEL(oc_dense_adam);
OC_KERNEL(oc_dense_sgd);
OC_KERNEL(oc_dense_momentum);
OC_KERNEL(oc_update);
OC_KERNEL(oc_rows);
OC_KERNEL(oc_gather);
OC_KERNEL(oc_gather_nd);
OC_KERNEL(oc_largest_of_rows);
OC_KERNEL(oc_zero);
OC_KERNEL(oc_integers);
OC_KERNEL(oc_conv);
OC_KERNEL(oc_conv_filter);
OC_KERNEL(oc_conv_input);
OC_KERNEL(oc_pool);
OC_KERNEL(oc_max_pool_grad);
OC_KERNEL(oc_avg_pool_grad);
OC_KERNEL(oc_cast);
OC_KERNEL(oc_branch);
OC_KERNEL(oc_merge);
OC_KERNEL(oc_loop);
OC_KERNEL(oc_array);
OC_KERNEL(oc_stack_kernel);
OC_KERNEL(oc_batch_norm);
OC_KERNEL(oc_batch_norm_grad);
OC_KERNEL(oc_random_uniform);
OC_KERNEL(oc_random_normal);
OC_KERNEL(oc_segment_sums);
OC_KERNEL(oc_special);
OC_KERNEL(oc_depthwise);
OC_KERNEL(oc_depthwise_input);
OC_KERNEL(oc_depthwise_filter);
OC_KERNEL(oc_unique);
OC_KERNEL(oc_images);
OC_KERNEL(oc_grouped);
OC_KERNEL(oc_together);
OC_KERNEL(oc_batch_moments);
OC_KERNEL(oc_batch_scale);
OC_KERNEL(oc_batch_products);
OC_KERNEL(oc_batch_gradient);
OC_KERNEL(oc_onednn);
OC_KERNEL(oc_recurrence);
OC_KERNEL(oc_by_rows);
OC_KERNEL(oc_row_sums);
OC_KERNEL(oc_call_kernel);

// The part of the second factor of a product that is laid out in panels at a time; the scratch that `oc_gemm` needs has that many floats,
// and 32 more along k.
enum { OC_PANEL_DEPTH = 512, OC_PANEL_COLUMNS = 2048 };
// A product of no more columns, or of no more rows by a turned factor, may be computed turned round, in m * n floats of scratch besides.
enum { OC_FEW_COLUMNS = 12, OC_TURNED_ROWS = 32 };

// c[m, n] = (c +) op(a) op(b) (+ bias).
void oc_gemm(int threads, float *scratch, int ta, int tb, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda, const float *b,
             int64_t ldb, int add, const float *bias, float *c, int64_t ldc);

// The elementwise pass `in` over so many elements, which lie one after the other in all operands that are not scalars.
void oc_elementwise_rows(const oc_instr *in, const oc_state *state, int64_t elements);

// A panel: d[p * wide + j] = b[p * ldb + j], or b[j * ldb + p] if `turned`, for j < columns, else 0.
void oc_lay_out(float *d, int64_t wide, const float *b, int64_t ldb, int turned, int64_t depth, int64_t columns);

#endif
