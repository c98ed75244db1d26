// Loops over a batch whose rows do not meet each other in the body: each thread takes its rows through many iterations.
#ifndef OSSIA_RECURRENCE_H
#define OSSIA_RECURRENCE_H

#include "program/control.h"

// Reads or writes one element of an array, of which only the `bytes` from `first` on are moved.
int oc_array_part(const oc_instr *in, const oc_state *state, int64_t first, int64_t bytes);

// d[n] += the sum of the rows of x[rows, n].
void oc_add_rows(int threads, float *d, const float *x, int64_t rows, int64_t n);

#endif
