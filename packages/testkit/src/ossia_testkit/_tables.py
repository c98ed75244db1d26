"""Public names and ops of ossia_testkit. Written by `python -m ossia_core.api_table packages/testkit`; do not edit."""

API: dict[str, str] = {}
OPS: dict[str, str] = {}
