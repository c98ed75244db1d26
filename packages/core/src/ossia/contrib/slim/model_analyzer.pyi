# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.slim.model_analyzer import (
 analyze_ops as analyze_ops, analyze_vars as analyze_vars, tensor_description as tensor_description
)
