# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.layers import outputs as _utils
utils = _utils
