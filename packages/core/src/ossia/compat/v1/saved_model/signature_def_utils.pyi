# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.saved_model.signature_def_utils import *
