# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.slim.queues import NestedQueueRunnerError as NestedQueueRunnerError, QueueRunners as QueueRunners
