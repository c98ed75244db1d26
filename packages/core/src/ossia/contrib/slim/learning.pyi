# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.slim.learning import create_train_op as create_train_op, train as train, train_step as train_step
from ossia_contrib.training.steps import (
 add_gradients_summaries as add_gradients_summaries, clip_gradient_norms as clip_gradient_norms,
 multiply_gradients as multiply_gradients
)
