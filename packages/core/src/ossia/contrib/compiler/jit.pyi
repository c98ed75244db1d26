# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.compiler import experimental_jit_scope as experimental_jit_scope
