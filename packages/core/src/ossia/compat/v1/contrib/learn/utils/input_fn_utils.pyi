# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.contrib.learn.utils.input_fn_utils import *
