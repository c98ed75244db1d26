# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.slim.dataset_data_provider import *
