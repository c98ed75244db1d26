# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.slim.nets import *
