# Written by tools/api_stubs.py; do not edit.
from ossia.feature_column import *
