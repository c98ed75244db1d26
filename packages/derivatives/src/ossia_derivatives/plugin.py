"""What ossia-derivatives registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_derivatives._tables import API


@hookimpl
def ossia_api():
    return API
