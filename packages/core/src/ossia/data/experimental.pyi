# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_functions.optional_values import Optional as Optional, OptionalSpec as _OptionalStructure
OptionalStructure = _OptionalStructure
map_and_batch_with_legacy_function = _map_and_batch_with_legacy_function
