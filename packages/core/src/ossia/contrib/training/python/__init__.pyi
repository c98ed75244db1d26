# Written by tools/api_stubs.py; do not edit.
from . import training as training
