"""What ossia-feature-column registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_feature_column._tables import API


@hookimpl
def ossia_api():
    return API
