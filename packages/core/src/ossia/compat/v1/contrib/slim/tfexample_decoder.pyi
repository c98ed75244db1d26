# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.slim.tfexample_decoder import *
