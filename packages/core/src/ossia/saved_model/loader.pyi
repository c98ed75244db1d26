# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.saved_model import load as load, maybe_saved_model_directory as maybe_saved_model_directory
