"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_checkpoint.reader import NewCheckpointReader as NewCheckpointReader
