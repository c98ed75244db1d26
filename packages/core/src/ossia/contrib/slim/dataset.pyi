# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.slim.dataset import Dataset as Dataset
