# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.slim.prefetch_queue import prefetch_queue as prefetch_queue
