# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.linear_optimizer import *
