"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.sysconfig import CXX11_ABI_FLAG as CXX11_ABI_FLAG
from ossia_core.sysconfig import MONOLITHIC_BUILD as MONOLITHIC_BUILD
from ossia_core.sysconfig import get_compile_flags as get_compile_flags
from ossia_core.sysconfig import get_include as get_include
from ossia_core.sysconfig import get_lib as get_lib
from ossia_core.sysconfig import get_link_flags as get_link_flags
