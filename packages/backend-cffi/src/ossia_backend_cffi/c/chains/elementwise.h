// What a fused elementwise chain consists of, and chains that are run in registers.
#ifndef OSSIA_ELEMENTWISE_H
#define OSSIA_ELEMENTWISE_H

#include "program/program.h"
#include <stddef.h>

enum {
    E_LOAD, E_LOAD_U8, E_LOAD_I32, E_LOAD_I64, E_STORE, E_STORE_U8, E_STORE_I32, E_STORE_I64,
    E_ADD, E_SUB, E_MUL, E_DIV, E_MAX, E_MIN, E_POW, E_SQDIFF,
    E_NEG, E_ABS, E_SQUARE, E_SQRT, E_RSQRT, E_EXP, E_LOG, E_LOG1P, E_EXPM1, E_TANH, E_SIGMOID, E_RELU, E_RELU6, E_SIGN, E_FLOOR, E_CEIL, E_RECIP,
    E_ROUND, E_SOFTPLUS, E_ELU,
    E_RELUGRAD, E_RELU6GRAD, E_TANHGRAD, E_SIGMOIDGRAD, E_SQRTGRAD, E_RSQRTGRAD, E_ELUGRAD,
    E_LT, E_LE, E_GT, E_GE, E_EQ, E_NE, E_AND, E_OR, E_NOT, E_SELECT, E_SIN, E_COS, E_DIVNONAN, E_FLOORDIV, E_LRELU, E_LRELUGRAD,
    E_SOFTSIGN, E_SOFTSIGNGRAD, E_MULNONAN, E_IDENTITY,
};

// A chain in registers: every step takes the result of the one before it, or begins with what lies in memory, and besides it a scalar or what
// lies in memory too. Results that other steps take later are laid by, one block of each.
typedef struct {
    int op;
    int from;             // what has been laid by that is the other operand, or -1
    const float *memory;  // else where that lies, or NULL
    float scalar;         // if it is none in memory
    int begins;           // whether the first operand is not the result before; then the same of that one
    int begin_from;
    const float *begin;
    int laid_by;          // where the result is laid by, or -1
    int past;             // whether it is stored past the caches
    float *store;         // where it goes, or NULL
} oc_link;

enum { OC_LINKS = 48, OC_LAID_BY = 24 };

typedef struct {
    float *result;        // where the last step's result goes from the first element at hand on, or NULL
    int count;
    oc_link links[OC_LINKS];
} oc_straight;

// Whether the pass is such a chain, of steps that can be computed in registers; describes it in `chain`.
int oc_straighten(const oc_instr *in, const oc_state *state, int64_t end, oc_straight *chain);

// Runs it from element `first` on, as far before `last` as whole blocks go, and returns how far that was.
int64_t oc_run_straight(const oc_straight *chain, int64_t first, int64_t last);

enum { OC_STRAIGHT = 128 };  // elements of a block, at most
enum { OC_BLOCK = 512 };     // of chains of other forms

// Nanoseconds for one element of a chain, roughly.
double oc_chain_cost(const oc_state *state, int64_t code, int64_t steps);

// A chain whose last step's result is handed out block by block.
typedef struct {
    oc_instr in;          // as a pass
    const oc_state *state;
    int is_straight, filled;
    oc_straight straight;
} oc_chain_blocks;

// Begins with such a chain over `size` elements on this thread; its constants are those of `in`.
void oc_begin_chain(oc_chain_blocks *c, const oc_instr *in, const oc_state *state, int64_t code, int64_t steps, int64_t size);

// Elements [first, last), at most OC_BLOCK of them, of the result; they lie in `block` or elsewhere until the next call.
const float *oc_chain_block(oc_chain_blocks *c, int64_t first, int64_t last, float *block);

#endif
