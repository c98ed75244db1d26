# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_ops.control.user_ops import my_fact as my_fact
