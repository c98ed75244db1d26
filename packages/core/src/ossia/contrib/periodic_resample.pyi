# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.periodic_resample import periodic_resample as periodic_resample
