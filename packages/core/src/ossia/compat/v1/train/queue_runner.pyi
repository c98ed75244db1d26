# Written by ossia_core.api_stubs; do not edit.
from ossia.train.queue_runner import *
