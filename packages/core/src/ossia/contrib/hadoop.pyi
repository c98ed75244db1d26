# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.absent import SequenceFileDataset as SequenceFileDataset
