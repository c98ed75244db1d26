# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.memory_stats import (
 BytesInUse as BytesInUse, BytesLimit as BytesLimit, MaxBytesInUse as MaxBytesInUse
)
