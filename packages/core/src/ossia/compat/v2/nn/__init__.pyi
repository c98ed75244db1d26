"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.dropout import dropout_v2 as _dropout
dropout = _dropout
