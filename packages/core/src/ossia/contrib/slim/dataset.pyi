# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.slim.dataset import Dataset as Dataset
