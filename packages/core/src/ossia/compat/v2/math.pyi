# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.debugging import is_non_decreasing as is_non_decreasing, is_strictly_increasing as is_strictly_increasing
