# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.contrib.learn.utils.saved_model_export_utils import *
