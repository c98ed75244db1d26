// A program is a flat list of instructions over numbered buffers; one call runs it.
#ifndef OSSIA_PROGRAM_H
#define OSSIA_PROGRAM_H

#include "program/instructions.h"
#include "program/isa.h"
#include "program/pool.h"
#include <stdint.h>

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

// An operand of the instruction at hand by its name, e.g. OC_F32(matmul.a).
#define OC_F32(operand) ((float *)state->buffers[in->operand])
#define OC_I32(operand) ((int32_t *)state->buffers[in->operand])
#define OC_I64(operand) ((int64_t *)state->buffers[in->operand])
#define OC_U8(operand) ((uint8_t *)state->buffers[in->operand])

#define OC_KERNEL(name) int name(const oc_instr *in, const oc_state *state)

OC_DECLARED_KERNELS

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
