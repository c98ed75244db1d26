# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_core import flags as flags
from ossia_core.app import run as run
