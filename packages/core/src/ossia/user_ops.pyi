# Written by ossia_core.api_stubs; do not edit.
from ossia_ops.user_ops import my_fact as my_fact
