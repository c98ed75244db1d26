# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_checkpoint.saved_model.builder import SavedModelBuilder as SavedModelBuilder
