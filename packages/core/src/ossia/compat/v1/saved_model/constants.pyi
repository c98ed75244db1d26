# Written by tools/api_stubs.py; do not edit.
from ossia.saved_model.constants import *
