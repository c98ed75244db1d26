# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.nn import nth_element as nth_element
