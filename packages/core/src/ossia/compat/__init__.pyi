"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.compat import as_bytes as as_bytes
from ossia_core.compat import as_text as _as_str
as_str = _as_str
from ossia_core.compat import as_str_any as as_str_any
from ossia_core.compat import as_text as as_text
from ossia_core.compat import bytes_or_text_types as bytes_or_text_types
from ossia_core.compat import complex_types as complex_types
from ossia_core.shapes import dimension_at_index as dimension_at_index
from ossia_core.shapes import dimension_value as dimension_value
from ossia_core.compat import forward_compatibility_horizon as forward_compatibility_horizon
from ossia_core.compat import forward_compatible as forward_compatible
from ossia_core.compat import integral_types as integral_types
from ossia_core.compat import path_to_str as path_to_str
from ossia_core.compat import real_types as real_types
from . import v1 as v1
from . import v2 as v2
