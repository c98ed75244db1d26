# Written by tools/api_stubs.py; do not edit.
from . import (
 activations as activations, backend as backend, constraints as constraints, experimental as experimental,
 initializers as initializers, layers as layers, regularizers as regularizers
)
