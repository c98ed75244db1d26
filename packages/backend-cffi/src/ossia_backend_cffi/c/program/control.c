// Branches, merges and loops.
#include "program/control.h"
#include "program/denormals.h"
#include "program/pool.h"
#include <string.h>
#include <time.h>

enum { POLL_NANOSECONDS = 20000000 };

static int64_t now(void) {
    struct timespec t;
#ifdef CLOCK_MONOTONIC_COARSE
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
#else
    clock_gettime(CLOCK_MONOTONIC, &t);
#endif
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// A kernel's result below 0 says how many instructions it has taken care of.
static int run_range(const oc_instr *in, int64_t count, const oc_state *state) {
    for (int64_t n = 0; n < count; n++) {
        const int result = oc_kernels[in[n].kernel](in + n, state);
        if (result > 0) {
            if (!state->watch->failed) state->watch->failed = in + n;
            return result;
        }
        n -= result;
    }
    return OC_OK;
}

int64_t oc_run_controlled(const oc_instr *instructions, int64_t count, char **buffers, const int32_t *code, char *scratch, int threads, int flush,
                          oc_stack *stacks, int64_t stack_count, void *run, int64_t stack_bytes) {
    oc_watch watch = {run, now() + POLL_NANOSECONDS, NULL, stack_bytes, oc_flush(flush), flush};
    for (int64_t k = 0; k < stack_count; k++) {
        stacks[k].count = stacks[k].used = 0;
        watch.left -= stacks[k].capacity;
    }
    const oc_state state = {.buffers = buffers, .code = code, .scratch = scratch, .threads = oc_threads(threads), .stacks = stacks, .watch = &watch};
    const int error = run_range(instructions, count, &state);
    oc_restore(watch.mode);
    return error ? (watch.failed - instructions + 1) * 16 + error : 0;
}

int oc_hold(const int32_t *conditions, const oc_state *state) {
    for (int32_t k = 0; k < conditions[0]; k++)
        if ((*(const uint8_t *)state->buffers[conditions[1 + 2 * k]] != 0) != conditions[2 + 2 * k]) return 0;
    return 1;
}

OC_KERNEL(oc_branch) { return oc_hold(state->code + in->branch.conditions, state) ? OC_OK : -(int)in->branch.skipped; }

OC_KERNEL(oc_merge) {
    const int32_t *choice = state->code + in->merge.code;
    for (int64_t k = 0; k < in->merge.choices; k++) {
        if (oc_hold(choice + 1, state)) {
            if (in->merge.bytes) memmove(state->buffers[in->merge.out], state->buffers[choice[0]], (size_t)in->merge.bytes);
            return OC_OK;
        }
        choice += 2 + 2 * choice[1];
    }
    return OC_OK;
}

OC_KERNEL(oc_call_kernel) {
    oc_restore(state->watch->mode);
    const int error = oc_call(state->watch->run, in->call.number, state->buffers);
    oc_flush(state->watch->flush);
    return error;
}

int oc_stopped(const oc_state *state) {
    if (now() < state->watch->next) return 0;
    oc_restore(state->watch->mode);
    const int stopped = oc_poll(state->watch->run);
    oc_flush(state->watch->flush);
    state->watch->next = now() + POLL_NANOSECONDS;
    return stopped;
}

OC_KERNEL(oc_loop) {
    const int64_t condition = in->iteration.condition, body = in->iteration.body, moves = in->iteration.move_count, every = in->iteration.every;
    const int32_t *code = state->code + in->iteration.moves;
    const uint8_t *predicate = (const uint8_t *)state->buffers[in->loop.predicate];
    int64_t turn = 0;
    for (;;) {
        int error = run_range(in + 1, condition, state);
        if (error) return error;
        if (!*predicate) return -(int)(condition + body);
        error = run_range(in + 1 + condition, body, state);
        if (error) return error;
        for (int64_t k = 0; k < moves; k++) {
            const int32_t *move = code + 4 * k;
            char *target = state->buffers[move[0]];
            const char *source = state->buffers[move[1]];
            if (move[2] == 4 && !move[3]) memcpy(target, source, 4);
            else memcpy(target, source, (size_t)(((int64_t)move[3] << 31) | move[2]));
        }
        if (++turn == every) {
            turn = 0;
            if (oc_stopped(state)) return OC_STOPPED;
        }
    }
}
