# Written by tools/api_stubs.py; do not edit.
from ossia_program.sysconfig import (
 CXX11_ABI_FLAG as CXX11_ABI_FLAG, MONOLITHIC_BUILD as MONOLITHIC_BUILD, get_compile_flags as get_compile_flags,
 get_include as get_include, get_lib as get_lib, get_link_flags as get_link_flags
)
