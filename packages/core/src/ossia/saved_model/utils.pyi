# Written by tools/api_stubs.py; do not edit.
from ossia.saved_model import (
 build_tensor_info as build_tensor_info, get_tensor_from_tensor_info as get_tensor_from_tensor_info
)
