# Written by tools/api_stubs.py; do not edit.
from ossia.resource_loader import *
