// Chains whose steps follow each other in a line: a block of elements stays in registers from the first step to the last.
#include "chains/elementwise.h"
#include <string.h>

enum { TURNED = 64, IN_MEMORY = 128 };  // flags of an op: its operands change places; the other one lies in memory

static int is_unary(int op) { return op == E_NEG || op == E_ABS || op == E_SQUARE || op == E_RECIP || op == E_RELU || op == E_IDENTITY; }

static int is_binary(int op) {
    return op == E_ADD || op == E_SUB || op == E_MUL || op == E_DIV || op == E_MAX || op == E_MIN || op == E_SQDIFF || op == E_RELUGRAD;
}

enum { NOTHING, SCALAR, MEMORY, LAID_BY };
typedef struct { int kind; const float *at; } place;

// For each step, whether its result is taken by a step behind the next one that computes.
static int find_lives(const int32_t *program, int steps, uint8_t *lives) {
    uint8_t wanted[OC_LAID_BY] = {0}, by_next[OC_LAID_BY] = {0};
    for (int s = steps - 1; s >= 0; s--) {
        const int32_t *step = program + 8 * s;
        const int op = step[0], d = step[1];
        if (d < 0 || d >= OC_LAID_BY || (op > E_LOAD && op <= E_STORE_I64)) return 0;
        lives[s] = wanted[d] && (wanted[d] > 1 || !by_next[d]);
        wanted[d] = 0;
        if (op == E_LOAD) continue;
        memset(by_next, 0, sizeof by_next);
        for (int k = 2; k < 5; k++)
            if (step[k] >= 0 && !by_next[step[k]]) {
                by_next[step[k]] = 1;
                if (wanted[step[k]] < 2) wanted[step[k]]++;
            }
    }
    return 1;
}

int oc_straighten(const oc_instr *in, const oc_state *state, int64_t end, oc_straight *chain) {
    place places[OC_LAID_BY] = {{NOTHING, NULL}};
    uint8_t lives[2 * OC_LINKS];
    const int32_t *program = state->code + in->chain.code, *step = program;
    const int steps = (int)in->chain.steps;
    int last = -1;  // the register that the step before has left its result in
    chain->count = 0;
    chain->result = NULL;
    if (steps > 2 * OC_LINKS || !find_lives(program, steps, lives)) return 0;
    for (int s = 0; s < steps; s++, step += 8) {
        const int op = step[0], d = step[1];
        if (op == E_LOAD) {
            const int64_t every = ((int64_t)step[4] << 31) | step[3], size = ((int64_t)step[6] << 31) | step[5];
            if (step[7] == 2 || (every == 1 && size == in->chain.elements && end <= size)) places[d].kind = MEMORY;
            else if (size == 1) places[d].kind = SCALAR;
            else return 0;
            places[d].at = (const float *)state->buffers[step[2]];
            if (d == last) last = -1;
            continue;
        }
        if (chain->count == OC_LINKS || (!is_unary(op) && !is_binary(op))) return 0;
        const int a = step[2], b = is_binary(op) ? step[3] : -1;
        oc_link link = {.op = op, .from = -1, .begin_from = -1, .laid_by = lives[s] ? d : -1};
        int first = a;
        if (a != last && b == last && b >= 0) first = b;
        else if (a != last && places[a].kind == SCALAR) first = b;
        if (first < 0) return 0;
        if (first != last) {
            const place p = places[first];
            if (p.kind != MEMORY && p.kind != LAID_BY) return 0;
            link.begins = 1;
            if (p.kind == MEMORY) link.begin = p.at;
            else link.begin_from = first;
        }
        if (b >= 0) {
            const int other = first == a ? b : a;
            const place p = places[other];
            if (first != a) link.op |= TURNED;
            if (other == last) {
                if (op != E_MUL) return 0;
                link.op = E_SQUARE;
            } else if (p.kind == SCALAR) link.scalar = *p.at;
            else if (p.kind == MEMORY) { link.op |= IN_MEMORY; link.memory = p.at; }
            else if (p.kind == LAID_BY) { link.op |= IN_MEMORY; link.from = other; }
            else return 0;
        }
        if (step[6]) { link.store = (float *)state->buffers[step[6] - 1]; link.past = step[7]; }
        places[d].kind = lives[s] ? LAID_BY : NOTHING;
        last = d;
        chain->links[chain->count++] = link;
    }
    return chain->count > 0;
}

#ifdef OC_X86
#define VECTOR 64
#define STREAM __builtin_ia32_movntps512
#define TARGET __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,fma")))
#define NAME(x) x##_512
#include "chains/register_chain.h"
#define VECTOR 32
#define STREAM __builtin_ia32_movntps256
#define TARGET __attribute__((target("avx2,fma")))
#define NAME(x) x##_256
#include "chains/register_chain.h"
#endif

#define VECTOR 16
#define STREAM __builtin_ia32_movntps
#define TARGET
#define NAME(x) x##_128
#include "chains/register_chain.h"

int64_t oc_run_straight(const oc_straight *chain, int64_t first, int64_t last) {
#ifdef OC_X86
    const int bytes = oc_register_bytes();
    if (bytes >= 32) return bytes == 64 ? run_512(chain, first, last) : run_256(chain, first, last);
#endif
    return run_128(chain, first, last);
}
