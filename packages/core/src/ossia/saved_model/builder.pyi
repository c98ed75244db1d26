# Written by tools/api_stubs.py; do not edit.
from ossia_checkpoint.saved_model.builder import SavedModelBuilder as SavedModelBuilder
