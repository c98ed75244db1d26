# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental, optimizer as optimizer, threading as threading
from ossia_functions.function import run_functions_eagerly as _experimental_run_functions_eagerly
from ossia_program.config import (
 list_devices as _experimental_list_devices, get_soft_device_placement as get_soft_device_placement,
 set_soft_device_placement as set_soft_device_placement
)
experimental_list_devices = _experimental_list_devices
experimental_run_functions_eagerly = _experimental_run_functions_eagerly
