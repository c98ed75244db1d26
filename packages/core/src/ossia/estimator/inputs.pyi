# Written by tools/api_stubs.py; do not edit.
from ossia_estimator.inputs.arrays import numpy_input_fn as numpy_input_fn
from ossia_estimator.inputs.frames import pandas_input_fn as pandas_input_fn
