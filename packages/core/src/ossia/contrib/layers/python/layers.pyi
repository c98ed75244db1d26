# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.layers import outputs as _utils
utils = _utils
