# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.learn.utils.saved_model_export_utils import *
