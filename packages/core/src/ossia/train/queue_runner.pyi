# Written by tools/api_stubs.py; do not edit.
from ossia.train import (
 QueueRunner as QueueRunner, add_queue_runner as add_queue_runner, start_queue_runners as start_queue_runners
)
