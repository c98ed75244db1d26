"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_debugging.order import (
 is_non_decreasing as is_non_decreasing, is_strictly_increasing as is_strictly_increasing
)
