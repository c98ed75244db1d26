# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_distribute.tpu.system import initialize_tpu_system as initialize_tpu_system
