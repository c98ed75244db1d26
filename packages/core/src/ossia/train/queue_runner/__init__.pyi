"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_queues.runner import QueueRunner as QueueRunner
from ossia_queues.runner import add_queue_runner as add_queue_runner
from ossia_queues.runner import start_queue_runners as start_queue_runners
