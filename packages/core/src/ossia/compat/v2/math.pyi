# Written by tools/api_stubs.py; do not edit.
from ossia.debugging import is_non_decreasing as is_non_decreasing, is_strictly_increasing as is_strictly_increasing
