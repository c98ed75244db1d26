# Written by tools/api_stubs.py; do not edit.
from . import input_fn_utils as input_fn_utils, saved_model_export_utils as saved_model_export_utils
from ossia.contrib.learn import (
 InputFnOps as InputFnOps, build_parsing_serving_input_fn as build_parsing_serving_input_fn,
 make_export_strategy as make_export_strategy
)
from ossia_contrib.learn.serving import build_default_serving_input_fn as build_default_serving_input_fn
