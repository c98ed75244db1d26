# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.contrib.legacy_seq2seq import *
