# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.resampler import resampler as resampler
