# Written by ossia_core.plugins.api_stubs; do not edit.
from . import (
 activations as activations, backend as backend, constraints as constraints, experimental as experimental,
 initializers as initializers, layers as layers, regularizers as regularizers
)
