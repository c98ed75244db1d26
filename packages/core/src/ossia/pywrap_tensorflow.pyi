# Written by tools/api_stubs.py; do not edit.
from ossia_checkpoint.reader import NewCheckpointReader as NewCheckpointReader
