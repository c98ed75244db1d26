# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.compiler import experimental_jit_scope as experimental_jit_scope
