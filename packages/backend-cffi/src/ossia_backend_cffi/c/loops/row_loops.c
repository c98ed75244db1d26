// Loops over a batch whose rows do not meet each other in the body. Threads share the rows: each has a table of buffers of its own, in
// which counters, conditions and flags of arrays are its own copies, and runs a number of iterations before all threads meet. Sums over rows,
// such as the gradients of weights, wait until then: what they are made of is kept, and becomes one product.
#include "loops/row_loops.h"
#include "images/image_groups.h"
#include "products/tiles.h"
#include <string.h>

// What becomes of an instruction of the body; in the order of `WAYS` in row_loop_sharing.py.
enum { UNIFORM, NOTHING, CHAIN, PRODUCT, STRIDED, COPIED, ARRAY, STACK, MERGED, KEPT };
enum { DEPTH = 256, PACKED_PARTS = 8 };

// The plan in the code table: these, then lists, each begun by its length.
enum { ROWS, AT_ONCE, COST, SCRATCH, OWN, THREADS, TABLE, STACKS, UNIFORM_BYTES, LISTS };
// Buffers with copies of the threads' own: buffer, bytes, place among them, whether what is there after the last iteration counts. Stacks that
// grow: number, bytes pushed in an iteration, instruction. Buffers that lie where a stack will keep them: buffer, stack. Buffers that lie
// where they wait for a sum: buffer, where it waits, bytes. Products, then sums: instructions. Of each copy that ends an iteration, bytes of a row,
// or 0 for what is a thread's own.
enum { COPIES, GROWING, PLACED, AWAITED, PRODUCTS, SUMS, MOVES, LIST_COUNT };
static const int widths[LIST_COUNT] = {4, 3, 2, 3, 1, 1, 1};

typedef struct { int error; int64_t at, turns; int ended; } outcome;

typedef struct {
    const oc_instr *in;          // of the condition, then of the body
    const oc_state *state;
    const int32_t *plan, *list[LIST_COUNT], *moves;
    int64_t condition, body, turns, parts;
    char *own;                   // of the threads
    int predicate;
    outcome outcome[OC_MAX_THREADS];
} recurrence;

typedef struct {
    const recurrence *r;
    oc_state state;
    char *copies;
    int64_t part, first, last, turn;  // rows; iterations since the threads have met
} share;

static int length(const int32_t *list) { return list[-1]; }

// -- products ---------------------------------------------------------------------------------------------------------------------

// Rows [first, last) of a product whose second factor is laid out.
static void multiply(const oc_instr *in, const oc_state *state, int64_t first, int64_t last) {
    const oc_tiles *tiles = oc_tiles_here();
    const int64_t k = in->matmul.k, lanes = tiles->lanes, width = 2 * lanes, rows = last - first, none = 0;
    const int64_t pieces = (k + DEPTH - 1) / DEPTH, tall = (rows + tiles->rows - 1) / tiles->rows;
    const float *a = OC_F32(matmul.a) + first * k, *panel = (const float *)state->buffers[in->panels.panels];
    const float *bias = in->panels.row_bias < 0 ? NULL : (const float *)state->buffers[in->panels.row_bias];
    const int32_t *block = state->code + in->panels.blocks;
    for (int64_t n = in->panels.block_count; n--; block += 5) {
        const int64_t pitch = block[3];
        float *c = (float *)state->buffers[block[0]] + first * pitch + block[4];
        for (int64_t at = 0; at < block[2]; at += width, panel += k * width) {
            const int64_t left = block[2] - at, columns = left < width ? left : width;
            oc_tile t = {.offsets = &none, .runs = 1, .ldc = pitch, .columns = columns, .ldb = width, .step = k};
            for (int64_t piece = 0; piece < pieces; piece++) {
                const int64_t p0 = oc_bound(k, pieces, piece, 4);
                t.len = oc_bound(k, pieces, piece + 1, 4) - p0;
                t.b = panel + p0 * width;
                t.add = piece > 0;
                t.bias = bias && piece + 1 == pieces ? bias + block[1] + at : NULL;
                for (int64_t tile = 0; tile < tall; tile++) {
                    const int64_t row = oc_bound(rows, tall, tile, 1), height = oc_bound(rows, tall, tile + 1, 1) - row;
                    t.a = a + row * k + p0;
                    t.a2 = t.a + (height + 1) / 2 * k;
                    t.c = c + row * pitch + at;
                    t.c2 = t.c + (height + 1) / 2 * pitch;
                    tiles->fn[height - 1][0][columns > lanes](&t);
                }
            }
        }
    }
}

static void pack_part(void *context, int64_t part) {
    const recurrence *r = context;
    const oc_state *state = r->state;
    const oc_instr *in = r->in + r->list[PRODUCTS][part / PACKED_PARTS];
    const int64_t n = in->matmul.n, k = in->matmul.k, width = 2 * oc_tiles_here()->lanes, share = part % PACKED_PARTS;
    const int turned = (int)in->matmul.tb;
    const float *b = OC_F32(matmul.b);
    float *d = (float *)state->buffers[in->panels.panels];
    const int32_t *block = state->code + in->panels.blocks;
    for (int64_t count = in->panels.block_count; count--; block += 5) {
        const int64_t panels = (block[2] + width - 1) / width, end = oc_bound(panels, PACKED_PARTS, share + 1, 1);
        for (int64_t q = oc_bound(panels, PACKED_PARTS, share, 1); q < end; q++) {
            const int64_t at = block[1] + q * width, left = block[1] + block[2] - at;
            oc_lay_out(d + q * k * width, width, turned ? b + at * k : b + at, turned ? k : n, turned, k, left < width ? left : width);
        }
        d += panels * k * width;
    }
}

// -- sums over rows -----------------------------------------------------------------------------------------------------------------

OC_CLONES static void add_columns(float *restrict d, const float *restrict x, int64_t rows, int64_t step, int64_t n) {
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4, x += 4 * step) {
        const float *restrict x1 = x + step, *restrict x2 = x1 + step, *restrict x3 = x2 + step;
        for (int64_t k = 0; k < n; k++) d[k] += (x[k] + x1[k]) + (x2[k] + x3[k]);
    }
    for (; r < rows; r++, x += step) for (int64_t k = 0; k < n; k++) d[k] += x[k];
}

typedef struct { float *d; const float *x; int64_t rows, n, parts; } row_sums;

static void add_part(void *context, int64_t part) {
    const row_sums *s = context;
    const int64_t first = oc_bound(s->n, s->parts, part, 64);
    add_columns(s->d + first, s->x + first, s->rows, s->n, oc_bound(s->n, s->parts, part + 1, 64) - first);
}

void oc_add_rows(int threads, float *d, const float *x, int64_t rows, int64_t n) {
    row_sums s = {d, x, rows, n, oc_parts(threads, (double)(rows * n) * 0.2, (n + 63) / 64)};
    oc_parallel(threads, s.parts, add_part, &s);
}

OC_KERNEL(oc_row_sums) {
    oc_add_rows(state->threads, OC_F32(row_sums.out), OC_F32(row_sums.x), in->row_sums.rows, in->row_sums.columns);
    return OC_OK;
}

// Keeps the operands of a sum for later.
static void keep(const share *s, const oc_instr *in) {
    const int32_t operands[] = {in->matmul.a, in->matmul.b};  // a sum of rows has the first alone, in the same place
    for (int operand = 0; operand < 2; operand++) {
        if (!in->waiting.copied[operand]) continue;
        const int64_t bytes = in->waiting.row_bytes[operand], at = s->first * bytes;
        char *kept = s->state.buffers[in->waiting.places[operand]] + s->turn * bytes * s->r->plan[ROWS];
        memcpy(kept + at, s->state.buffers[operands[operand]] + at, (size_t)((s->last - s->first) * bytes));
    }
}

static void add_up(const oc_instr *in, const oc_state *state, int64_t rows) {
    const float *a = (const float *)state->buffers[in->waiting.places[0]];
    if (in->waiting.plain) { oc_add_rows(state->threads, OC_F32(row_sums.out), a, rows, in->row_sums.columns); return; }
    const float *b = (const float *)state->buffers[in->waiting.places[1]];
    const int64_t m = in->matmul.m, n = in->matmul.n;
    oc_gemm(state->threads, (float *)state->scratch, 1, 0, m, n, rows, a, m, b, n, 1, NULL, OC_F32(matmul.out), n);
}

// -- the body -----------------------------------------------------------------------------------------------------------------------

static int run_one(share *s, const oc_instr *in) {
    oc_state *state = &s->state;
    const int64_t rows = s->last - s->first;
    switch (in->share.way) {
    case UNIFORM: return oc_kernels[in->share.detail](in, state);
    case CHAIN: {
        const oc_images_part part = {.in = in, .state = state, .images = s->r->plan[ROWS], .first = s->first, .last = s->last};
        oc_elementwise_member.run(&part);
        return OC_OK;
    }
    case PRODUCT: multiply(in, state, s->first, s->last); return OC_OK;
    case STRIDED: {
        oc_instr own = *in;
        own.strided_copy.dims[0] = rows;
        own.strided_copy.start += s->first * in->strided_copy.source[0];
        own.strided_copy.at += s->first * in->strided_copy.target[0];
        return oc_strided_copy(&own, state);
    }
    case COPIED: {
        const int64_t bytes = in->share.detail, at = s->first * bytes;
        memmove(state->buffers[in->copy.out] + at, state->buffers[in->copy.x] + at, (size_t)(rows * bytes));
        return OC_OK;
    }
    case ARRAY: {
        // What all rows share is stored by one thread.
        const int64_t bytes = in->share.detail, elsewhere = in->array.kind == 1 && s->part;
        return bytes ? oc_array_part(in, state, s->first * bytes, rows * bytes) : oc_array_part(in, state, 0, elsewhere ? 0 : in->array.bytes);
    }
    case STACK: {
        oc_stack *stack = state->stacks + in->stack.number;
        const int64_t all = in->stack.bytes, bytes = in->share.detail, at = bytes * s->first, moved = bytes ? rows * bytes : all;
        if (in->stack.kind == 1) {
            if (in->stack.limit >= 0 && stack->count >= in->stack.limit) return OC_REFUSED;
            const int here = in->pushing.placed || (!bytes && s->part);
            if (all && !here) memcpy(stack->data + stack->used + at, state->buffers[in->stack.value] + at, (size_t)moved);
            stack->used += all;
            stack->count++;
            return OC_OK;
        }
        if (!stack->count || stack->used < all) return OC_REFUSED;
        stack->used -= all;
        stack->count--;
        if (all && in->stack.stays) state->buffers[in->stack.value] = stack->data + stack->used;
        else if (all) memcpy(state->buffers[in->stack.value] + at, stack->data + stack->used + at, (size_t)moved);
        return OC_OK;
    }
    case MERGED: {
        const int32_t *choice = state->code + in->merge.code;
        const int64_t bytes = in->share.detail, at = s->first * bytes;
        for (int64_t k = 0; k < in->merge.choices; k++, choice += 2 + 2 * choice[1]) {
            if (!oc_hold(choice + 1, state)) continue;
            memmove(state->buffers[in->merge.out] + at, state->buffers[choice[0]] + at, (size_t)(rows * bytes));
            break;
        }
        return OC_OK;
    }
    case KEPT: keep(s, in); return OC_OK;
    default: return OC_OK;
    }
}

static int run_some(share *s, int64_t first, int64_t last, outcome *result) {
    for (int64_t n = first; n < last; n++) {
        const int found = run_one(s, s->r->in + n);
        if (found > 0) { result->at = n; return found; }
        n -= found;
    }
    return OC_OK;
}

static void end_iteration(const share *s) {
    const int32_t *move = s->r->moves, *row = s->r->list[MOVES];
    for (int k = 0; k < length(row); k++, move += 4) {
        const int64_t bytes = row[k], at = s->first * bytes;
        char *target = s->state.buffers[move[0]];
        const char *source = s->state.buffers[move[1]];
        if (bytes) memcpy(target + at, source + at, (size_t)((s->last - s->first) * bytes));
        else memcpy(target, source, (size_t)move[2]);
    }
}

static void run_part(void *context, int64_t part) {
    recurrence *r = context;
    const int32_t *plan = r->plan, *list = r->list[COPIES];
    const oc_state *state = r->state;
    outcome *result = &r->outcome[part];
    char *own = r->own + part * 64 * (int64_t)plan[OWN];
    share s = {.r = r, .state = *state, .part = part};
    s.first = oc_bound(plan[ROWS], r->parts, part, 1);
    s.last = oc_bound(plan[ROWS], r->parts, part + 1, 1);
    s.state.threads = 1;
    s.state.buffers = (char **)own;
    s.state.stacks = (oc_stack *)(own + plan[TABLE] * (int64_t)sizeof(char *));
    s.copies = own + 64 * (int64_t)plan[OWN] - plan[UNIFORM_BYTES];
    memcpy(s.state.buffers, state->buffers, (size_t)plan[TABLE] * sizeof(char *));
    if (plan[STACKS]) memcpy(s.state.stacks, state->stacks, (size_t)plan[STACKS] * sizeof(oc_stack));
    for (int k = 0; k < length(list); k++) {
        const int32_t *copy = list + 4 * k;
        s.state.buffers[copy[0]] = s.copies + copy[2];
        if (copy[3]) memcpy(s.copies + copy[2], state->buffers[copy[0]], (size_t)copy[1]);
    }
    *result = (outcome){0};
    for (;;) {
        result->error = run_some(&s, 0, r->condition, result);
        if (result->error) return;
        if (!*(const uint8_t *)s.state.buffers[r->predicate]) { result->ended = 1; return; }
        if (s.turn == r->turns) return;
        list = r->list[AWAITED];
        for (int k = 0; k < length(list); k++) s.state.buffers[list[3 * k]] = state->buffers[list[3 * k + 1]] + s.turn * list[3 * k + 2];
        list = r->list[PLACED];
        for (int k = 0; k < length(list); k++) {
            const oc_stack *stack = s.state.stacks + list[2 * k + 1];
            s.state.buffers[list[2 * k]] = stack->data + stack->used;
        }
        result->error = run_some(&s, r->condition, r->condition + r->body, result);
        if (result->error) return;
        end_iteration(&s);
        result->turns = ++s.turn;
    }
}

// Makes room on the stacks for so many iterations.
static int reserve(const recurrence *r, int64_t turns, int64_t *at) {
    const int32_t *list = r->list[GROWING];
    for (int k = 0; k < length(list); k++) {
        oc_stack *stack = r->state->stacks + list[3 * k];
        *at = list[3 * k + 2];
        if (!oc_reserve(stack, stack->used + turns * list[3 * k + 1], &r->state->watch->left)) return 0;
    }
    return 1;
}

// What the first thread has left of what is not divided by rows is what the program goes on with.
static void take_over(const recurrence *r) {
    const int32_t *plan = r->plan, *list = r->list[COPIES];
    const char *own = r->own, *copies = own + 64 * (int64_t)plan[OWN] - plan[UNIFORM_BYTES];
    for (int k = 0; k < length(list); k++)
        if (list[4 * k + 3]) memcpy(r->state->buffers[list[4 * k]], copies + list[4 * k + 2], (size_t)list[4 * k + 1]);
    const oc_stack *stacks = (const oc_stack *)(own + plan[TABLE] * (int64_t)sizeof(char *));
    for (int k = 0; k < plan[STACKS]; k++) {
        r->state->stacks[k].count = stacks[k].count;
        r->state->stacks[k].used = stacks[k].used;
    }
}

OC_KERNEL(oc_recurrence) {
    const int32_t *plan = state->code + in->recurrence.plan;
    recurrence r = {.in = in + 1, .state = state, .plan = plan, .moves = state->code + in->iteration.moves, .condition = in->iteration.condition, .body = in->iteration.body,
                    .own = state->scratch + 64 * (int64_t)plan[SCRATCH], .predicate = in->recurrence.predicate};
    const int32_t *at = plan + LISTS;
    for (int k = 0; k < LIST_COUNT; k++) {
        r.list[k] = at + 1;
        at += 1 + at[0] * widths[k];
    }
    const int threads = state->threads < plan[THREADS] ? state->threads : plan[THREADS];
    const int64_t most = plan[ROWS] / 8, wanted = oc_parts(threads, 1000.0 * plan[COST] * plan[AT_ONCE], most < 1 ? 1 : most);
    r.parts = wanted < threads ? wanted : threads;
    double laid_out = 0.0;
    for (int k = 0; k < length(r.list[PRODUCTS]); k++) laid_out += 0.3 * (double)r.in[r.list[PRODUCTS][k]].matmul.n * (double)r.in[r.list[PRODUCTS][k]].matmul.k;
    oc_parallel(oc_parts(threads, laid_out, 2) > 1 ? threads : 1, (int64_t)length(r.list[PRODUCTS]) * PACKED_PARTS, pack_part, &r);
    for (;;) {
        int64_t full = 0;
        for (r.turns = plan[AT_ONCE]; r.turns && !reserve(&r, r.turns, &full); r.turns /= 2) {}
        oc_parallel(threads, r.parts, run_part, &r);
        const outcome *result = &r.outcome[0];
        for (int64_t part = 1; part < r.parts && !result->error; part++) if (r.outcome[part].error) result = &r.outcome[part];
        int error = result->error;
        int64_t failed = result->at;
        if (!error && !r.turns && !result->ended) { error = OC_NO_MEMORY; failed = full; }
        if (error) {
            if (!state->watch->failed) state->watch->failed = r.in + failed;
            return error;
        }
        take_over(&r);
        for (int k = 0; result->turns && k < length(r.list[SUMS]); k++) add_up(r.in + r.list[SUMS][k], state, result->turns * plan[ROWS]);
        if (result->ended) return -(int)(r.condition + r.body);
        if (oc_stopped(state)) return OC_STOPPED;
    }
}

// An instruction of the body: the loop has run it.
OC_KERNEL(oc_by_rows) {
    (void)in;
    (void)state;
    return OC_OK;
}
