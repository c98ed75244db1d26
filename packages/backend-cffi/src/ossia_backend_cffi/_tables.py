"""Public names and ops of ossia_backend_cffi. Written by `python -m ossia_core.api_table packages/backend-cffi`; do not edit."""

API: dict[str, str] = {}
OPS: dict[str, str] = {}
