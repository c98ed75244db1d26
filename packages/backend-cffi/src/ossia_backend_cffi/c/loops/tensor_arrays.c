// TensorArrays and stacks.
#include "loops/row_loops.h"
#include "program/index.h"
#include <stdlib.h>
#include <string.h>

enum { RESET, WRITE, READ, GATHER, SCATTER, LEND, GATHER_ALL, SCATTER_ALL, ADD_ALL };
enum { PUSH = 1, POP = 2 };
enum { MISSING, PRESENT, CLEARED };
enum { OVERWRITE = 5 };
enum { NEVER, ALWAYS, IF_WRITTEN, IF_ANY };

OC_CLONES static void add_f32(float *d, const float *x, int64_t n) { for (int64_t k = 0; k < n; k++) d[k] += x[k]; }
OC_CLONES static void add_i32(uint32_t *d, const uint32_t *x, int64_t n) { for (int64_t k = 0; k < n; k++) d[k] += x[k]; }
OC_CLONES static void add_i64(uint64_t *d, const uint64_t *x, int64_t n) { for (int64_t k = 0; k < n; k++) d[k] += x[k]; }

// Of an element, the bytes that are moved: all, or the rows that a thread works on.
typedef struct { int64_t first, bytes; } span;

static int write_one(const oc_instr *in, const oc_state *state, int64_t at, const char *value, span s) {
    uint8_t *flag = OC_U8(array.flags) + at;
    char *element = state->buffers[in->array.storage] + at * in->array.bytes + s.first;
    value += s.first;
    if (*flag == MISSING || in->array.how == OVERWRITE) memcpy(element, value, (size_t)s.bytes);
    else if (*flag == CLEARED) return OC_REFUSED;
    else switch (in->array.how) {
    case 1: add_f32((float *)element, (const float *)value, s.bytes / 4); break;
    case 2: add_i32((uint32_t *)element, (const uint32_t *)value, s.bytes / 4); break;
    case 3: add_i64((uint64_t *)element, (const uint64_t *)value, s.bytes / 8); break;
    default: return OC_REFUSED;
    }
    *flag = PRESENT;
    return OC_OK;
}

// Whether zeros stand for an element that was never written: its shape has to be known.
static int is_zero(const oc_instr *in, const oc_state *state, int64_t at) {
    const uint8_t *forward = OC_U8(array.forward);
    if (in->array.missing == IF_WRITTEN) return forward[at] != MISSING;
    for (int64_t k = 0; k < in->array.length && in->array.missing == IF_ANY; k++) if (forward[k] != MISSING) return 1;
    return in->array.missing == ALWAYS;
}

static int read_one(const oc_instr *in, const oc_state *state, int64_t at, char *value, span s) {
    uint8_t *flag = OC_U8(array.flags) + at;
    if (*flag == CLEARED) return OC_REFUSED;
    const char *element = state->buffers[in->array.storage] + at * in->array.bytes + s.first;
    value += s.first;
    if (*flag == PRESENT) { if (value != element) memcpy(value, element, (size_t)s.bytes); }
    else if (is_zero(in, state, at)) memset(value, 0, (size_t)s.bytes);
    else return OC_REFUSED;
    if (in->array.clears) *flag = CLEARED;
    return OC_OK;
}

int oc_array_part(const oc_instr *in, const oc_state *state, int64_t first, int64_t bytes) {
    const int64_t at = oc_index(state->buffers[in->array.index], 4, 0);
    const span s = {first, bytes};
    if (at < 0 || at >= in->array.length) return OC_BAD_INDEX;
    if (in->array.kind == WRITE) return write_one(in, state, at, state->buffers[in->array.value], s);
    if (in->array.kind == LEND) state->buffers[in->array.value] = state->buffers[in->array.storage] + at * in->array.bytes;
    return read_one(in, state, at, state->buffers[in->array.value], s);
}

OC_KERNEL(oc_array) {
    const int64_t kind = in->array.kind, length = in->array.length, bytes = in->array.bytes;
    if (kind == RESET) {
        if (length) memset(OC_U8(array.flags), MISSING, (size_t)length);
        return OC_OK;
    }
    if (kind == SCATTER_ALL) {
        // The value itself is the elements from now on.
        for (int64_t at = 0; at < length; at++) if (OC_U8(array.flags)[at] != MISSING) return OC_REFUSED;
        if (length) memset(OC_U8(array.flags), PRESENT, (size_t)length);
        return OC_OK;
    }
    const span all = {0, bytes};
    if (kind == ADD_ALL) {
        for (int64_t at = 0; at < length; at++) {
            const int error = OC_U8(array.forward)[at] == MISSING ? OC_OK : write_one(in, state, at, state->buffers[in->array.value] + at * bytes, all);
            if (error) return error;
        }
        return OC_OK;
    }
    if (kind == GATHER_ALL || kind == LEND) {
        // What is read stays where it is: an element that was read is not written again.
        const int64_t first = kind == LEND ? oc_index(state->buffers[in->array.index], 4, 0) : 0, count = kind == LEND ? 1 : length;
        if (first < 0 || first >= length) return OC_BAD_INDEX;
        for (int64_t at = first; at < first + count; at++) {
            char *element = state->buffers[in->array.storage] + at * bytes;
            const int error = read_one(in, state, at, element, all);
            if (error) return error;
        }
        if (kind == LEND) state->buffers[in->array.value] = state->buffers[in->array.storage] + first * bytes;
        return OC_OK;
    }
    char *value = state->buffers[in->array.value];
    for (int64_t k = 0; k < in->array.count; k++) {
        const int64_t at = oc_index(state->buffers[in->array.index], 4, k);
        if (at < 0 || at >= length) return OC_BAD_INDEX;
        const int error = kind == WRITE || kind == SCATTER ? write_one(in, state, at, value + k * bytes, all)
                                                              : read_one(in, state, at, value + k * bytes, all);
        if (error) return error;
    }
    return OC_OK;
}

int oc_reserve(oc_stack *stack, int64_t least, int64_t *left) {
    if (least <= stack->capacity) return 1;
    const int64_t twice = 2 * stack->capacity, wanted = twice > least ? twice : least, grown = wanted < 4096 ? 4096 : wanted;
    if (grown - stack->capacity > *left) return 0;
    char *data = realloc(stack->data, (size_t)grown);
    if (!data) return 0;
    *left -= grown - stack->capacity;
    stack->data = data;
    stack->capacity = grown;
    return 1;
}

OC_KERNEL(oc_stack_kernel) {
    oc_stack *stack = state->stacks + in->stack.number;
    const int64_t bytes = in->stack.bytes;
    if (in->stack.kind == RESET) {
        stack->count = stack->used = 0;
    } else if (in->stack.kind == PUSH) {
        if (in->stack.limit >= 0 && stack->count >= in->stack.limit) return OC_REFUSED;
        if (!oc_reserve(stack, stack->used + bytes, &state->watch->left)) return OC_NO_MEMORY;
        if (bytes) memcpy(stack->data + stack->used, state->buffers[in->stack.value], (size_t)bytes);
        stack->used += bytes;
        stack->count++;
    } else {
        if (!stack->count || stack->used < bytes) return OC_REFUSED;
        stack->used -= bytes;
        stack->count--;
        if (bytes && in->stack.stays) state->buffers[in->stack.value] = stack->data + stack->used;
        else if (bytes) memcpy(state->buffers[in->stack.value], stack->data + stack->used, (size_t)bytes);
    }
    return OC_OK;
}

void oc_free_stacks(oc_stack *stacks, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        free(stacks[k].data);
        stacks[k] = (oc_stack){0};
    }
}
