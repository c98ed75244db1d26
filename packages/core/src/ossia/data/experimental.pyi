# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_functions.optional_values import Optional as Optional, OptionalSpec as _OptionalStructure
OptionalStructure = _OptionalStructure
