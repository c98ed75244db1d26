# Written by tools/api_stubs.py; do not edit.
from ossia.distribute.cluster_resolver import *
