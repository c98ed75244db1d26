"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.bitwise import bitwise_and as bitwise_and
from ossia_ops.bitwise import bitwise_or as bitwise_or
from ossia_ops.bitwise import bitwise_xor as bitwise_xor
from ossia_ops.bitwise import invert as invert
from ossia_ops.bitwise import left_shift as left_shift
from ossia_ops.bitwise import right_shift as right_shift
