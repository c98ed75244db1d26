"""What ossia-distributions registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_distributions._tables import API


@hookimpl
def ossia_api():
    return API
