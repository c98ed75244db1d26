"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from . import experimental as experimental
from ossia_core.config import list_devices as _experimental_list_devices
experimental_list_devices = _experimental_list_devices
from ossia_core.functions.function import run_functions_eagerly as _experimental_run_functions_eagerly
experimental_run_functions_eagerly = _experimental_run_functions_eagerly
from ossia_core.config import get_soft_device_placement as get_soft_device_placement
from . import optimizer as optimizer
from ossia_core.config import set_soft_device_placement as set_soft_device_placement
from . import threading as threading
