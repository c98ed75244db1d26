# Written by tools/api_stubs.py; do not edit.
from ossia_program.config import (
 get_experimental_options as get_experimental_options, get_jit as get_jit,
 set_experimental_options as set_experimental_options, set_jit as set_jit
)
