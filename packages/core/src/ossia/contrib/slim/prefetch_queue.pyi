# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.slim.prefetch_queue import prefetch_queue as prefetch_queue
