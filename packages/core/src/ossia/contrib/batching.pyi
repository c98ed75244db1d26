# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.older_names import batch_function as batch_function
