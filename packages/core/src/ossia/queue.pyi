# Written by tools/api_stubs.py; do not edit.
from ossia.io import (
 PaddingFIFOQueue as PaddingFIFOQueue, PriorityQueue as PriorityQueue, QueueBase as QueueBase,
 RandomShuffleQueue as RandomShuffleQueue
)
from ossia_queues.fifo import FIFOQueue as FIFOQueue
