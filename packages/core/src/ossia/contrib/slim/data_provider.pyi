# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.slim.data_provider import DataProvider as DataProvider
