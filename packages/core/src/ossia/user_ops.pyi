# Written by tools/api_stubs.py; do not edit.
from ossia_ops.control.user_ops import my_fact as my_fact
