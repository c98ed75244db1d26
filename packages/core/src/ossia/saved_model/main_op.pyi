# Written by tools/api_stubs.py; do not edit.
from ossia.saved_model import main_op_with_restore as main_op_with_restore
from ossia_checkpoint.saved_model.main_op import main_op as main_op
