# Written by tools/api_stubs.py; do not edit.
from . import (
 builder as builder, constants as constants, loader as loader, main_op as main_op,
 signature_constants as signature_constants, signature_def_utils as signature_def_utils, tag_constants as tag_constants,
 utils as utils
)
from ossia_checkpoint.saved_model.builder import SavedModelBuilder as _Builder, simple_save as simple_save
from ossia_checkpoint.saved_model.constants import (
 ASSETS_DIRECTORY as ASSETS_DIRECTORY, ASSETS_KEY as ASSETS_KEY, CLASSIFY_INPUTS as CLASSIFY_INPUTS,
 CLASSIFY_METHOD_NAME as CLASSIFY_METHOD_NAME, CLASSIFY_OUTPUT_CLASSES as CLASSIFY_OUTPUT_CLASSES,
 CLASSIFY_OUTPUT_SCORES as CLASSIFY_OUTPUT_SCORES,
 DEFAULT_SERVING_SIGNATURE_DEF_KEY as DEFAULT_SERVING_SIGNATURE_DEF_KEY, GPU as GPU,
 LEGACY_INIT_OP_KEY as LEGACY_INIT_OP_KEY, MAIN_OP_KEY as MAIN_OP_KEY, PREDICT_INPUTS as PREDICT_INPUTS,
 PREDICT_METHOD_NAME as PREDICT_METHOD_NAME, PREDICT_OUTPUTS as PREDICT_OUTPUTS, REGRESS_INPUTS as REGRESS_INPUTS,
 REGRESS_METHOD_NAME as REGRESS_METHOD_NAME, REGRESS_OUTPUTS as REGRESS_OUTPUTS,
 SAVED_MODEL_FILENAME_PB as SAVED_MODEL_FILENAME_PB, SAVED_MODEL_FILENAME_PBTXT as SAVED_MODEL_FILENAME_PBTXT,
 SAVED_MODEL_SCHEMA_VERSION as SAVED_MODEL_SCHEMA_VERSION, SERVING as SERVING, TPU as TPU, TRAINING as TRAINING,
 VARIABLES_DIRECTORY as VARIABLES_DIRECTORY, VARIABLES_FILENAME as VARIABLES_FILENAME
)
from ossia_checkpoint.saved_model.loader import (
 contains_saved_model as contains_saved_model, load as load, contains_saved_model as _maybe_saved_model_directory
)
from ossia_checkpoint.saved_model.main_op import main_op_with_restore as main_op_with_restore
from ossia_checkpoint.saved_model.signatures import (
 build_signature_def as build_signature_def, build_tensor_info as build_tensor_info,
 classification_signature_def as classification_signature_def,
 get_tensor_from_tensor_info as get_tensor_from_tensor_info, is_valid_signature as is_valid_signature,
 predict_signature_def as predict_signature_def, regression_signature_def as regression_signature_def
)
Builder = _Builder
maybe_saved_model_directory = _maybe_saved_model_directory
