// Many threads that take rows through chains of layers at once: every row passes all layers in order, after weights are prepared.
#include "products/layer_stages.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLERS = 3, ROUNDS = 150, LAYERS = 13, ROWS = 77 };

static void prepare(const oc_instr *in, const oc_state *state, float *shared, int64_t part, int64_t parts) {
    (void)state; (void)part; (void)parts;
    shared[0] = (float)in->node;
}

// A row of layer k is what layer k - 1 has left there, and one more.
static void run(const oc_images_part *p) {
    const int64_t layer = p->in->node;
    float *to = (float *)p->state->buffers[layer + 1], *from = (float *)p->state->buffers[layer];
    for (int64_t row = p->first; row < p->last; row++) {
        to[row] = from[row] + 1.0f;
        p->own[row] = to[row];
        if (p->shared && p->shared[0] != (float)layer) to[row] = -1000.0f;
    }
}

const oc_member oc_matmul_member = {prepare, run, NULL};
const oc_member *const oc_members[] = {&oc_matmul_member};

static int chain(int threads, int turned) {
    static _Thread_local float rows[LAYERS + 1][ROWS], scratch[16 * LAYERS], own[5 * ROWS];
    static _Thread_local oc_instr in[LAYERS];
    char *buffers[LAYERS + 1];
    for (int k = 0; k <= LAYERS; k++) buffers[k] = (char *)rows[k];
    for (int k = 0; k < LAYERS; k++) {
        in[k] = (oc_instr){.node = k};
        in[k].matmul.m = ROWS;
        in[k].matmul.n = 8;
        in[k].matmul.k = 8 + 9 * k % 7;
        in[k].matmul.tb = turned;
        in[k].member.shared = k;
    }
    for (int row = 0; row < ROWS; row++) rows[0][row] = (float)row;
    const oc_state state = {.buffers = buffers, .scratch = (char *)scratch, .threads = threads};
    const oc_chain whole = {in, &state, LAYERS, ROWS, own, ROWS};
    oc_run_chain(&whole, threads, 1000);
    for (int row = 0; row < ROWS; row++) if (rows[LAYERS][row] != (float)(row + LAYERS)) return 1;
    return 0;
}

static void *call(void *failed) {
    for (int round = 0; round < ROUNDS; round++) if (chain(1 + round % 5, round % 2)) *(int *)failed = 1;
    return NULL;
}

int main(void) {
    pthread_t callers[CALLERS];
    int failed[CALLERS] = {0};
    for (int k = 0; k < CALLERS; k++) pthread_create(&callers[k], NULL, call, &failed[k]);
    for (int k = 0; k < CALLERS; k++) pthread_join(callers[k], NULL);
    for (int k = 0; k < CALLERS; k++) if (failed[k]) return printf("a row has missed a layer\n"), 1;
    return 0;
}
