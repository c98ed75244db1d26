# Written by ossia_core.plugins.api_stubs; do not edit.
from . import (
 activations as activations, backend as backend, constraints as constraints, initializers as initializers,
 regularizers as regularizers
)
