# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.learn.head import *
