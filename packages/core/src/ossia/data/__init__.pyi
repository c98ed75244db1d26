"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from . import experimental as experimental
