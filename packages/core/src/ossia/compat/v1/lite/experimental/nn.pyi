# Written by tools/api_stubs.py; do not edit.
from ossia.lite.experimental.nn import *
