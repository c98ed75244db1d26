// What programs with branches and loops need besides their instructions.
#ifndef OSSIA_CONTROL_H
#define OSSIA_CONTROL_H

#include "program/program.h"

// A stack of values; its memory is kept from run to run.
struct oc_stack {
    char *data;
    int64_t count, used, capacity;
};

// Of one run: whom to ask whether it must end, when to ask next, what failed, and the bytes that its stacks may take.
struct oc_watch {
    void *run;
    int64_t next;
    const oc_instr *failed;
    int64_t left;
    uint64_t mode;  // how floats were rounded outside of the program
    int flush;      // whether denormal results are flushed inside
};

// Runs the program; the same result as oc_run.
int64_t oc_run_controlled(const oc_instr *instructions, int64_t count, char **buffers, const int32_t *code, char *scratch, int threads, int flush,
                          oc_stack *stacks, int64_t stack_count, void *run, int64_t stack_bytes);
void oc_free_stacks(oc_stack *stacks, int64_t count);

// Lets a stack hold so many bytes, of which `left` may still be taken; 0 if it cannot.
int oc_reserve(oc_stack *stack, int64_t least, int64_t *left);

// Whether all of n conditions hold: n, then for each a buffer and the value wanted.
int oc_hold(const int32_t *conditions, const oc_state *state);

// At the end of an iteration: whether the run must end, if it is time to ask.
int oc_stopped(const oc_state *state);

// Asks the run's owner, in Python; not 0 if the run must end.
int oc_poll(void *run);

// Lets the run's owner, in Python, compute a node from what is in the buffers, into them; the error of its instruction.
int oc_call(void *run, int64_t number, char **buffers);

#endif
