// oneDNN, where it is installed: convolutions and products that are in no group may be left to it.
#ifndef OSSIA_ONEDNN_H
#define OSSIA_ONEDNN_H

#include "program/instructions.h"

// A convolution, its gradient for the images, or a product, for given shapes: made once, run any number of times, by several threads at once.
typedef struct oc_dnn oc_dnn;

enum { OC_DNN_FORWARD = 0, OC_DNN_INPUT = 1, OC_DNN_PRODUCT = 2 };

// Loads the library. 0, or what is wrong: 1 it cannot be loaded, 2 it lacks a function, 3 it is another version, 4 it does not start.
// What it can do stays as it was if it was loaded before. Not to be called from two threads at once.
int oc_dnn_open(const char *path);

// Made for an instruction of the same kind. The images, or the rows of a product, are cut in so many blocks, and the
// rows of images in so many bands. NULL if the library declines.
oc_dnn *oc_dnn_make(int kind, const oc_instr *in, int64_t blocks, int64_t bands);
void oc_dnn_free(oc_dnn *);

// Bytes of scratch that it needs.
int64_t oc_dnn_scratch(const oc_dnn *);

#endif
