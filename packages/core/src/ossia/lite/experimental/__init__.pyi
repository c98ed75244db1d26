# Written by tools/api_stubs.py; do not edit.
from . import nn as nn
from ossia_lite.convert.op_hint import convert_op_hints_to_stubs as convert_op_hints_to_stubs
from ossia_lite.convert.supported_ops import get_potentially_supported_ops as get_potentially_supported_ops
