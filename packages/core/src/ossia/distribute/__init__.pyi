"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_distribute.server import Server as Server
