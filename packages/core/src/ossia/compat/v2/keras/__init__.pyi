# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental, layers as layers
