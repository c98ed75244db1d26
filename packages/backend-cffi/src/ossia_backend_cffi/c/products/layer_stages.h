// Chains of dense layers: a group of products whose images are rows of a batch, shared out among threads by layers.
#ifndef OSSIA_CHAINS_H
#define OSSIA_CHAINS_H

#include "images/image_groups.h"

extern const oc_member *const oc_members[];

typedef struct {
    const oc_instr *in;      // the members
    const oc_state *state;
    int64_t count, rows;
    float *own;              // scratch of threads, and how much each has
    int64_t own_floats;
} oc_chain;

// Runs the chain on up to `threads` threads; `cost` microseconds are what it takes on one.
void oc_run_chain(const oc_chain *chain, int threads, int64_t cost);

#endif
