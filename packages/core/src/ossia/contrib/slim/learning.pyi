# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.slim.learning import (
 add_gradients_summaries as add_gradients_summaries, clip_gradient_norms as clip_gradient_norms,
 create_train_op as create_train_op, multiply_gradients as multiply_gradients
)
