"""What ossia-estimator registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_estimator._tables import API, OPS


@hookimpl
def ossia_api():
    return API


@hookimpl
def ossia_ops():
    return OPS
