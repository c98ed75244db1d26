# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.learn import (
 InputFnOps as InputFnOps, build_parsing_serving_input_fn as build_parsing_serving_input_fn
)
from ossia.contrib.learn.utils import build_default_serving_input_fn as build_default_serving_input_fn
