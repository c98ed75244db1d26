# Written by tools/api_stubs.py; do not edit.
from ossia_queues.staging import StagingArea as StagingArea
