"""What the test kit tries: `loss:0` is the number of the run."""

import ossia as tf
from ossia_example_session_hook.early_stopping import EarlyStoppingHook


def falling():
    """A hook on a value that falls until it is 3 away from 0, and rises then."""
    return EarlyStoppingHook(tf.abs(tf.get_default_graph().get_tensor_by_name("loss:0") - 3), patience=2)


EARLY_STOPPING = {
    "rising": {"arguments": {"value": "loss:0", "patience": 4}, "stops": 5},
    "falling": {"make": falling, "stops": 5},
    "patient": {"arguments": {"value": "loss:0", "patience": 100}},
}
