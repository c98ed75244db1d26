// Chains whose steps follow each other in a line: a block of elements stays in registers from the first step to the last.
#include "elementwise.h"

enum { TURNED = 64, IN_MEMORY = 128 };  // flags of an op: its operands change places; the other one lies in memory

static int is_unary(int op) { return op == E_NEG || op == E_ABS || op == E_SQUARE || op == E_RECIP || op == E_RELU || op == E_IDENTITY; }

static int is_binary(int op) {
    return op == E_ADD || op == E_SUB || op == E_MUL || op == E_DIV || op == E_MAX || op == E_MIN || op == E_SQDIFF || op == E_RELUGRAD;
}

int oc_straighten(const oc_instr *in, const oc_state *state, int64_t end, oc_straight *chain) {
    enum { NOTHING, SCALAR, MEMORY, LAST };
    struct { int kind; const float *at; } registers[32] = {{0}};
    const int32_t *step = state->code + in->i[1];
    const int steps = (int)in->i[2];
    int last = -1;  // the register that the step before has left its result in
    chain->count = 0;
    for (int s = 0; s < steps; s++, step += 8) {
        const int op = step[0], d = step[1];
        if (op == E_LOAD) {
            const int64_t every = ((int64_t)step[4] << 31) | step[3], size = ((int64_t)step[6] << 31) | step[5];
            if (d == last) return 0;
            if (step[7] == 2 || (every == 1 && size == in->i[0] && end <= size)) registers[d].kind = MEMORY;
            else if (size == 1) registers[d].kind = SCALAR;
            else return 0;
            registers[d].at = (const float *)state->buffers[step[2]];
            continue;
        }
        if (chain->count == 32 || (!is_unary(op) && !is_binary(op))) return 0;
        const int a = step[2], b = is_binary(op) ? step[3] : -1;
        oc_link link = {.op = op};
        if (!chain->count) {
            // The first step: one of its operands is loaded, as if a step before had left it.
            const int begin = registers[a].kind == MEMORY ? a : b;
            if (begin < 0 || registers[begin].kind != MEMORY) return 0;
            chain->first = registers[begin].at;
            last = begin;
        } else if (registers[last].kind != LAST) return 0;
        if (b >= 0) {
            if (a == b || (a != last && b != last)) return 0;
            const int other = a == last ? b : a;
            if (b == last) link.op |= TURNED;
            if (registers[other].kind == MEMORY) { link.op |= IN_MEMORY; link.memory = registers[other].at; }
            else if (registers[other].kind == SCALAR) link.scalar = *registers[other].at;
            else return 0;
        } else if (a != last) return 0;
        if (step[6]) { link.store = (float *)state->buffers[step[6] - 1]; link.past = step[7]; }
        registers[last].kind = NOTHING;
        registers[d].kind = LAST;
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
#include "straight.h"
#define VECTOR 32
#define STREAM __builtin_ia32_movntps256
#define TARGET __attribute__((target("avx2,fma")))
#define NAME(x) x##_256
#include "straight.h"
#endif

#define VECTOR 16
#define STREAM __builtin_ia32_movntps
#define TARGET
#define NAME(x) x##_128
#include "straight.h"

int64_t oc_run_straight(const oc_straight *chain, int64_t first, int64_t last) {
#ifdef OC_X86
    const int bytes = oc_register_bytes();
    if (bytes >= 32) return bytes == 64 ? run_512(chain, first, last) : run_256(chain, first, last);
#endif
    return run_128(chain, first, last);
}
