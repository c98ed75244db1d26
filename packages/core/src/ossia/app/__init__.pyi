"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core import flags as flags
from ossia_core.app import run as run
