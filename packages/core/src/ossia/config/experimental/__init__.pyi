"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.config import VirtualDeviceConfiguration as VirtualDeviceConfiguration
from ossia_core.config import get_memory_growth as get_memory_growth
from ossia_core.config import get_virtual_device_configuration as get_virtual_device_configuration
from ossia_core.config import get_visible_devices as get_visible_devices
from ossia_core.config import list_logical_devices as list_logical_devices
from ossia_core.config import list_physical_devices as list_physical_devices
from ossia_core.config import set_memory_growth as set_memory_growth
from ossia_core.config import set_virtual_device_configuration as set_virtual_device_configuration
from ossia_core.config import set_visible_devices as set_visible_devices
