# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.io import (
 PaddingFIFOQueue as PaddingFIFOQueue, PriorityQueue as PriorityQueue, QueueBase as QueueBase,
 RandomShuffleQueue as RandomShuffleQueue
)
from ossia_queues.fifo import FIFOQueue as FIFOQueue
