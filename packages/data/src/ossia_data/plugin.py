"""What ossia-data registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_data._tables import API, OPS


@hookimpl
def ossia_api():
    return API


@hookimpl
def ossia_ops():
    return OPS
