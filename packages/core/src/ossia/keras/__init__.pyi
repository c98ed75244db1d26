"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from . import backend as backend
from . import initializers as initializers
