# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.slim.data_provider import DataProvider as DataProvider
