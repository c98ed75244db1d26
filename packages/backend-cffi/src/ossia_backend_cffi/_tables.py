"""Public names and ops of ossia_backend_cffi. Written by `python -m ossia_core.plugins.api_table packages/backend-cffi`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
