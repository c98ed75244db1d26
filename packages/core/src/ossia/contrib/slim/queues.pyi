# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.slim.queues import NestedQueueRunnerError as NestedQueueRunnerError, QueueRunners as QueueRunners
