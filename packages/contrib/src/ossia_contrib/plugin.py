"""What ossia-contrib registers with the plugin manager."""

from ossia_contrib._tables import API, OPS
from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_api():
    return API


@hookimpl
def ossia_ops():
    return OPS
