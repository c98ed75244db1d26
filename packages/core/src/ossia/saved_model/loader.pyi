# Written by tools/api_stubs.py; do not edit.
from ossia.saved_model import load as load, maybe_saved_model_directory as maybe_saved_model_directory
