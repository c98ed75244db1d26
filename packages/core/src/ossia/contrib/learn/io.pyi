# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.learn.inputs import numpy_input_fn as numpy_input_fn, pandas_input_fn as pandas_input_fn
