"""What ossia-tensorflow-tests registers with the plugin manager: the ops of the original's own tests."""

from ossia_core.hookspecs import hookimpl
from ossia_tensorflow_tests._tables import OPS


@hookimpl
def ossia_ops():
    return OPS
