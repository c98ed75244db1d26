# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.train import (
 QueueRunner as QueueRunner, add_queue_runner as add_queue_runner, start_queue_runners as start_queue_runners
)
