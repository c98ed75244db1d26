# Written by ossia_core.plugins.api_stubs; do not edit.
from . import input_fn_utils as input_fn_utils
from ossia.contrib.learn import InputFnOps as InputFnOps
