# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.train.queue_runner import *
