"""What ossia registers with the plugin manager: the ops of the original's own tests."""

from ossia_command._tables import OPS
from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_ops():
    return OPS
