"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from . import activations as activations
from . import backend as backend
from . import constraints as constraints
from . import initializers as initializers
from . import regularizers as regularizers
