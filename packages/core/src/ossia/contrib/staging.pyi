# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.absent import StagingArea as StagingArea
