# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.input_pipeline import obtain_next as obtain_next
