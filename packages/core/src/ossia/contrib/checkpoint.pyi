# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.older_names import CheckpointManager as CheckpointManager, PythonStateWrapper as PythonStateWrapper
