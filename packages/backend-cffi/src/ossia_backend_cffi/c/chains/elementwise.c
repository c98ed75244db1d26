// Fused elementwise chains: a small register program runs block by block, so that intermediate values stay in the first-level cache.
#include "chains/elementwise.h"
#include "chains/functions.h"
#include "images/image_groups.h"
#include <math.h>

enum { BLOCK = OC_BLOCK, REGISTERS = 24, LANES = 16 };
enum { FETCHED = 1 << 20 };  // elements of a pass from which its operands come from memory

typedef float four __attribute__((vector_size(16), aligned(4)));

#define MAP1(EXPR) _Pragma("GCC ivdep") for (int k = 0; k < n; k++) { const float x = a[k]; d[k] = (EXPR); } break
#define MAP2(EXPR) _Pragma("GCC ivdep") for (int k = 0; k < n; k++) { const float x = a[k], y = b[k]; d[k] = (EXPR); } break

static inline __attribute__((always_inline)) void apply_to(int op, int n, float *d, const float *a, const float *b, const float *c, float p) {
    switch (op) {
    case E_ADD: MAP2(x + y);
    case E_SUB: MAP2(x - y);
    case E_MUL: MAP2(x * y);
    case E_DIV: MAP2(x / y);
    case E_MAX: MAP2(x < y ? y : x);  // with NaN on either side the first operand stays
    case E_MIN: MAP2(x > y ? y : x);
    case E_SQDIFF: MAP2((x - y) * (x - y));
    case E_NEG: MAP1(-x);
    case E_ABS: MAP1(fabsf(x));
    case E_SQUARE: MAP1(x * x);
    case E_SQRT: MAP1(sqrtf(x));
    case E_RSQRT: MAP1(1.0f / sqrtf(x));
    case E_EXP: MAP1(exp_one(x));
    case E_LOG: MAP1(log_one(x));
    case E_TANH: MAP1(tanh_one(x));
    case E_SIGMOID: MAP1(sigmoid_one(x));
    case E_RELU: MAP1(x > 0.0f || x != x ? x : 0.0f);
    case E_RELU6: MAP1(x > 6.0f ? 6.0f : x > 0.0f || x != x ? x : 0.0f);
    case E_SIGN: MAP1(x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f);
    case E_FLOOR: MAP1(floorf(x));
    case E_CEIL: MAP1(ceilf(x));
    case E_ROUND: MAP1(rintf(x));
    case E_RECIP: MAP1(1.0f / x);
    case E_RELUGRAD: MAP2(y > 0.0f ? x : x * 0.0f);
    case E_RELU6GRAD: MAP2(y > 0.0f && y < 6.0f ? x : x * 0.0f);
    case E_TANHGRAD: MAP2(y * (1.0f - x * x));
    case E_SIGMOIDGRAD: MAP2(y * x * (1.0f - x));
    case E_SQRTGRAD: MAP2(y == 0.0f ? 0.0f : y * 0.5f / x);
    case E_RSQRTGRAD: MAP2(y == 0.0f ? 0.0f : y * -0.5f * x * x * x);
    case E_ELUGRAD: MAP2(y < 0.0f ? (y + 1.0f) * x : x);
    case E_LT: MAP2(x < y ? 1.0f : 0.0f);
    case E_LE: MAP2(x <= y ? 1.0f : 0.0f);
    case E_GT: MAP2(x > y ? 1.0f : 0.0f);
    case E_GE: MAP2(x >= y ? 1.0f : 0.0f);
    case E_EQ: MAP2(x == y ? 1.0f : 0.0f);
    case E_NE: MAP2(x != y ? 1.0f : 0.0f);
    case E_AND: MAP2(x != 0.0f && y != 0.0f ? 1.0f : 0.0f);
    case E_OR: MAP2(x != 0.0f || y != 0.0f ? 1.0f : 0.0f);
    case E_NOT: MAP1(x == 0.0f ? 1.0f : 0.0f);
    case E_DIVNONAN: MAP2(y == 0.0f ? 0.0f : x / y);
    case E_FLOORDIV: MAP2(floorf(x / y));
    case E_LRELU: MAP1(x > 0.0f ? x : x * p);
    case E_LRELUGRAD: MAP2(y > 0.0f ? x : x * p);
    case E_SOFTSIGN: MAP1(x / (fabsf(x) + 1.0f));
    case E_SOFTSIGNGRAD: MAP2(x / ((fabsf(y) + 1.0f) * (fabsf(y) + 1.0f)));
    case E_MULNONAN: MAP2(y == 0.0f ? 0.0f : x * y);
    case E_SELECT:
        for (int k = 0; k < n; k++) d[k] = a[k] != 0.0f ? b[k] : c[k];
        break;
    case E_LOG1P: MAP1(log1p_one(x));
    case E_EXPM1: MAP1(expm1_one(x));
    case E_SOFTPLUS: MAP1(softplus_one(x));
    case E_ELU: MAP1(elu_one(x));
    // What the fast forms do not take goes through the C library, element by element.
    case E_POW: {
        int plain = 1;
        for (int k = 0; k < n; k++) plain &= is_plain_pow(a[k], b[k]);
        if (plain) { MAP2(pow_one(x, y)); }
        for (int k = 0; k < n; k++) d[k] = is_plain_pow(a[k], b[k]) ? pow_one(a[k], b[k]) : powf(a[k], b[k]);
        break;
    }
    case E_SIN: {
        int near = 1;
        for (int k = 0; k < n; k++) near &= fabsf(a[k]) <= TRIGONOMETRIC_LIMIT;
        if (near) { MAP1(sine_one(x, 0)); }
        for (int k = 0; k < n; k++) d[k] = sinf(a[k]);
        break;
    }
    case E_COS: {
        int near = 1;
        for (int k = 0; k < n; k++) near &= fabsf(a[k]) <= TRIGONOMETRIC_LIMIT;
        if (near) { MAP1(sine_one(x, 1)); }
        for (int k = 0; k < n; k++) d[k] = cosf(a[k]);
        break;
    }
    default: if (d != a) memcpy(d, a, (size_t)n * sizeof(float)); break;
    }
}

OC_CLONES static void apply(int op, int n, float *d, const float *a, const float *b, const float *c, float p) { apply_to(op, n, d, a, b, c, p); }

// Passes over few elements take all lanes of a vector, whatever lies in those behind: no loop, and nothing left over at its end.
OC_CLONES static void apply_to_lanes(int op, float *d, const float *a, const float *b, const float *c, float p) {
    apply_to(op, LANES, d, a, b, c, p);
}

static inline int is_by_element(int op) {
    return op == E_POW || op == E_SIN || op == E_COS;
}

// Element i of a broadcast operand lies at (i / every) % size.
#define FILL(TYPE)                                                                        \
    do {                                                                                  \
        const TYPE *s = (const TYPE *)src;                                                \
        if (size == 1) { const float v = (float)s[0]; for (int k = 0; k < n; k++) d[k] = v; } \
        else if (every == 1) {                                                            \
            int64_t at = start % size;                                                    \
            for (int k = 0; k < n;) {                                                     \
                int64_t run = size - at; if (run > n - k) run = n - k;                    \
                for (int64_t j = 0; j < run; j++) d[k + j] = (float)s[at + j];            \
                k += (int)run; at = 0;                                                    \
            }                                                                             \
        } else {                                                                          \
            int64_t at = (start / every) % size, left = every - start % every;            \
            for (int k = 0; k < n;) {                                                     \
                int64_t run = left < n - k ? left : n - k; const float v = (float)s[at];  \
                for (int64_t j = 0; j < run; j++) d[k + j] = v;                           \
                k += (int)run; left = every; if (++at == size) at = 0;                    \
            }                                                                             \
        }                                                                                 \
    } while (0)

// Writes whole cache lines past the caches, for results that are too large to stay there.
static void stream(float *d, const float *s, int n) {
#if defined(__x86_64__)
    int k = 0;
    while (k < n && ((uintptr_t)(d + k) & 63)) { d[k] = s[k]; k++; }
    for (; k + 16 <= n; k += 16)
        for (int q = 0; q < 16; q += 4) __builtin_ia32_movntps(d + k + q, *(const four *)(s + k + q));
    for (; k < n; k++) d[k] = s[k];
#else
    memcpy(d, s, (size_t)n * sizeof(float));
#endif
}

typedef struct { const oc_instr *in; const oc_state *state; int64_t parts; } pass;

// Elements `first` to `last` of the pass, block by block; returns where the last step has left the last block. `filled` says that the scalars'
// registers are, by a call before on this thread.
OC_CLONES static const float *run_blocks(const oc_instr *in, const oc_state *state, int64_t first, int64_t last, int filled) {
    static _Thread_local float storage[REGISTERS][BLOCK] __attribute__((aligned(64)));
    const int64_t total = in->chain.elements;
    const int32_t *program = state->code + in->chain.code;
    const int steps = (int)in->chain.steps;
    const float *reg[REGISTERS] = {0};
    int streamed = 0;
    const int few = last - first <= LANES;
    const int64_t end = last > total ? last : total;
    for (int64_t start = first; start < last; start += BLOCK) {
        const int n = (int)(last - start < BLOCK ? last - start : BLOCK);
        const int32_t *step = program;
        for (int s = 0; s < steps; s++, step += 8) {
            const int op = step[0], d_at = step[1];
            if (op <= E_LOAD_I64) {
                const char *src = state->buffers[step[2]];
                const int64_t every = ((int64_t)step[4] << 31) | step[3], size = ((int64_t)step[6] << 31) | step[5];
                // Of rows that are worked on together, a value of one row or a scalar is not all that the pass sees.
                if (!few && (step[7] == 2 || (op == E_LOAD && every == 1 && size == total && last <= size))) {
                    reg[d_at] = (const float *)src + start;
                    // What comes from memory is fetched while this block is computed with.
                    if (total >= FETCHED && start + 2 * BLOCK <= end)
                        for (int k = BLOCK; k < 2 * BLOCK; k += 16) __builtin_prefetch((const float *)src + start + k);
                    continue;
                }
                float *d = storage[d_at];
                reg[d_at] = d;
                if (few && step[7] == 2) { memcpy(d, (const float *)src + start, (size_t)n * sizeof(float)); continue; }
                if (step[7] == 1 && (filled || start > first)) continue;  // filled in the first block
                if (op == E_LOAD) FILL(float);
                else if (op == E_LOAD_U8) FILL(uint8_t);
                else if (op == E_LOAD_I32) FILL(int32_t);
                else FILL(int64_t);
            } else if (op <= E_STORE_I64) {
                const float *a = reg[d_at];
                char *dst = state->buffers[step[2]];
                if (op == E_STORE) { float *o = (float *)dst + start; if (o != a) memcpy(o, a, (size_t)n * sizeof(float)); }
                else if (op == E_STORE_U8) { uint8_t *o = (uint8_t *)dst + start; for (int k = 0; k < n; k++) o[k] = a[k] != 0.0f; }
                else if (op == E_STORE_I32) { int32_t *o = (int32_t *)dst + start; for (int k = 0; k < n; k++) o[k] = (int32_t)a[k]; }
                else { int64_t *o = (int64_t *)dst + start; for (int k = 0; k < n; k++) o[k] = (int64_t)a[k]; }
            } else {
                // step[6] - 1 is the buffer that the result goes to at once, if it is to be kept; past the caches if step[7].
                float *d = step[6] && !step[7] ? (float *)state->buffers[step[6] - 1] + start : storage[d_at];
                if (few && !is_by_element(op)) {
                    float *all = storage[d_at];
                    apply_to_lanes(op, all, reg[step[2]], step[3] >= 0 ? reg[step[3]] : 0, step[4] >= 0 ? reg[step[4]] : 0,
                                   step[5] >= 0 ? (float)in->literals.constants[step[5]] : 0.0f);
                    reg[d_at] = all;
                    if (step[6]) memcpy((float *)state->buffers[step[6] - 1] + start, all, (size_t)n * sizeof(float));
                    continue;
                }
                if (few) d = storage[d_at];
                const float p = step[5] >= 0 ? (float)in->literals.constants[step[5]] : 0.0f;
                apply(op, n, d, reg[step[2]], step[3] >= 0 ? reg[step[3]] : 0, step[4] >= 0 ? reg[step[4]] : 0, p);
                reg[d_at] = d;
                if (few) { if (step[6]) memcpy((float *)state->buffers[step[6] - 1] + start, d, (size_t)n * sizeof(float)); continue; }
                if (step[7]) { stream((float *)state->buffers[step[6] - 1] + start, d, n); streamed = 1; }
            }
        }
    }
#if defined(__x86_64__)
    if (streamed) __builtin_ia32_sfence();
#endif
    return steps ? reg[program[8 * (steps - 1) + 1]] : NULL;
}

// Elements `first` to `last` of the pass, in registers as far as that goes.
static void run_range(const oc_instr *in, const oc_state *state, int64_t first, int64_t last) {
    oc_straight chain;
    if (last - first >= 8 * OC_STRAIGHT && oc_straighten(in, state, last, &chain)) {
        int64_t start = first;
        // What goes past the caches is written in whole cache lines from here on.
        for (int k = 0; k < chain.count; k++)
            if (chain.links[k].past) start += (-(uintptr_t)(chain.links[k].store + start) & 63) / sizeof(float);
        if (start > first) run_blocks(in, state, first, start, 0);
        first = oc_run_straight(&chain, start, last);
    }
    if (first < last) run_blocks(in, state, first, last, 0);
}

void oc_elementwise_rows(const oc_instr *in, const oc_state *state, int64_t elements) { run_range(in, state, 0, elements); }

void oc_begin_chain(oc_chain_blocks *c, const oc_instr *in, const oc_state *state, int64_t code, int64_t steps, int64_t size) {
    c->state = state;
    c->in = (oc_instr){.chain = {size, code, steps}};
    c->in.literals = in->literals;
    c->filled = 0;
    c->is_straight = oc_straighten(&c->in, state, size, &c->straight);
}

const float *oc_chain_block(oc_chain_blocks *c, int64_t first, int64_t last, float *block) {
    int64_t done = first;
    if (c->is_straight) {
        c->straight.result = block;
        done = oc_run_straight(&c->straight, first, last);
        if (done == last) return block;
    }
    const float *found = run_blocks(&c->in, c->state, done, last, c->filled);
    c->filled = last - done > LANES;
    if (done == first) return found;
    memcpy(block + (done - first), found, (size_t)(last - done) * sizeof(float));
    return block;
}

static void run_part(void *context, int64_t part) {
    const pass *p = context;
    run_range(p->in, p->state, oc_bound(p->in->chain.elements, p->parts, part, BLOCK), oc_bound(p->in->chain.elements, p->parts, part + 1, BLOCK));
}

double oc_chain_cost(const oc_state *state, int64_t code, int64_t steps) {
    const int32_t *step = state->code + code;
    double cost = 0.0;
    for (; steps--; step += 8) switch (step[0]) {
        case E_POW: case E_SIN: case E_COS: cost += 3.0; break;
        case E_LOG1P: case E_EXPM1: case E_SOFTPLUS: case E_ELU: cost += 1.0; break;
        case E_EXP: case E_LOG: case E_TANH: case E_SIGMOID: case E_SQRT: case E_RSQRT: case E_DIV:
        case E_SOFTSIGN: case E_SOFTSIGNGRAD: cost += 0.5; break;
        default: cost += 0.1;
    }
    return cost;
}

// A step is {op, d, a, b, c, index of a float constant or -1, buffer stored to + 1, past the caches}; a load is {op, d, buffer,
// every, size (two of 31 bits each), 1 if it is the same in every block, 2 if it lies there block after block}.
OC_KERNEL(oc_elementwise) {
    const int64_t total = in->chain.elements;
    int64_t parts = 1;
    if (state->threads > 1 && total > 2 * BLOCK)
        parts = oc_parts(state->threads, oc_chain_cost(state, in->chain.code, in->chain.steps) * (double)total, total / BLOCK);
    if (parts == 1) { run_range(in, state, 0, total); return OC_OK; }
    pass p = {in, state, parts};
    oc_parallel(state->threads, parts, run_part, &p);
    return OC_OK;
}

// In a group of images.
static void elementwise_images(const oc_images_part *p) {
    const int64_t each = p->in->chain.elements / p->images;
    run_range(p->in, p->state, p->first * each, p->last * each);
}

const oc_member oc_elementwise_member = {NULL, elementwise_images, NULL};
