# Written by tools/api_stubs.py; do not edit.
from ossia_distribute.tpu.system import initialize_tpu_system as initialize_tpu_system
