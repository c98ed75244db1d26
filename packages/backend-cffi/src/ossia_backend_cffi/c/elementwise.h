// What a fused elementwise chain consists of, and chains that are run in registers.
#ifndef OSSIA_ELEMENTWISE_H
#define OSSIA_ELEMENTWISE_H

#include "program.h"

enum {
    E_LOAD, E_LOAD_U8, E_LOAD_I32, E_LOAD_I64, E_STORE, E_STORE_U8, E_STORE_I32, E_STORE_I64,
    E_ADD, E_SUB, E_MUL, E_DIV, E_MAX, E_MIN, E_POW, E_SQDIFF,
    E_NEG, E_ABS, E_SQUARE, E_SQRT, E_RSQRT, E_EXP, E_LOG, E_LOG1P, E_EXPM1, E_TANH, E_SIGMOID, E_RELU, E_RELU6, E_SIGN, E_FLOOR, E_CEIL, E_RECIP,
    E_ROUND, E_SOFTPLUS, E_ELU,
    E_RELUGRAD, E_RELU6GRAD, E_TANHGRAD, E_SIGMOIDGRAD, E_SQRTGRAD, E_RSQRTGRAD, E_ELUGRAD,
    E_LT, E_LE, E_GT, E_GE, E_EQ, E_NE, E_AND, E_OR, E_NOT, E_SELECT, E_SIN, E_COS, E_DIVNONAN, E_FLOORDIV, E_LRELU, E_LRELUGRAD, E_IDENTITY,
};

// A chain in which every step takes the result of the one before it, and besides it a scalar or what lies in memory.
typedef struct {
    int op;
    const float *memory;  // the other operand, or NULL
    float scalar;         // if that is none in memory
    float *store;         // where the result goes, or NULL
    int past;             // whether past the caches
} oc_link;

typedef struct {
    const float *first;   // what the first step takes
    int count;
    oc_link links[32];
} oc_straight;

// Whether the pass is such a chain, of steps that can be computed in registers; describes it in `chain`.
int oc_straighten(const oc_instr *in, const oc_state *state, int64_t end, oc_straight *chain);

// Runs it from element `first` on, as far before `last` as whole blocks go, and returns how far that was.
int64_t oc_run_straight(const oc_straight *chain, int64_t first, int64_t last);

enum { OC_STRAIGHT = 128 };  // elements of a block, at most

#endif
