# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.older_names import batch_function as batch_function
