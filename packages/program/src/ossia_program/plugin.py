"""What ossia-program registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_program._tables import API


@hookimpl
def ossia_api():
    return API
