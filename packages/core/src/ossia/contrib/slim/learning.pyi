# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.slim.learning import clip_gradient_norms as clip_gradient_norms, create_train_op as create_train_op
