"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.nest import assert_same_structure as assert_same_structure
from ossia_core.nest import flatten as flatten
from ossia_core.nest import is_nested as is_nested
from ossia_core.nest import map_structure as map_structure
from ossia_core.nest import pack_sequence_as as pack_sequence_as
