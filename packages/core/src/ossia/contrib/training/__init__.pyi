# Written by ossia_core.plugins.api_stubs; do not edit.
from . import python as python
from ossia.contrib.slim.learning import clip_gradient_norms as clip_gradient_norms
from ossia_contrib.training.hyperparameters import HParams as HParams
