# Written by ossia_core.plugins.api_stubs; do not edit.
from . import jit as jit
