"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_queues.runner import (
 QueueRunner as QueueRunner, add_queue_runner as add_queue_runner, start_queue_runners as start_queue_runners
)
