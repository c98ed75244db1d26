# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.legacy_seq2seq import *
