# Written by ossia_core.plugins.api_stubs; do not edit.
from . import experimental as experimental, layers as layers
