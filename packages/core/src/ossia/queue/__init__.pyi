"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_queues.fifo import FIFOQueue as FIFOQueue
from ossia_queues.padding import PaddingFIFOQueue as PaddingFIFOQueue
from ossia_queues.priority import PriorityQueue as PriorityQueue
from ossia_queues.queue_base import QueueBase as QueueBase
from ossia_queues.shuffle import RandomShuffleQueue as RandomShuffleQueue
