"""The names that SavedModels are made of: files, collections, tags, and parts of signatures.

Source: the SavedModel format as TensorFlow 1.15 documents and writes it.
"""

from __future__ import annotations

from ossia_core.plugins.api_table import public_value

ASSETS_DIRECTORY = "assets"
ASSETS_KEY = "saved_model_assets"
LEGACY_INIT_OP_KEY = "legacy_init_op"
MAIN_OP_KEY = "saved_model_main_op"
TRAIN_OP_KEY = "saved_model_train_op"
INIT_OP_SIGNATURE_KEY = "__saved_model_init_op"
TRAIN_OP_SIGNATURE_KEY = "__saved_model_train_op"
SAVED_MODEL_FILENAME_PB = "saved_model.pb"
SAVED_MODEL_FILENAME_PBTXT = "saved_model.pbtxt"
SAVED_MODEL_SCHEMA_VERSION = 1
VARIABLES_DIRECTORY = "variables"
VARIABLES_FILENAME = "variables"
for _name in (
    "ASSETS_DIRECTORY ASSETS_KEY LEGACY_INIT_OP_KEY MAIN_OP_KEY SAVED_MODEL_FILENAME_PB SAVED_MODEL_FILENAME_PBTXT "
    "SAVED_MODEL_SCHEMA_VERSION VARIABLES_DIRECTORY VARIABLES_FILENAME"
).split():
    _plain = () if _name in ("LEGACY_INIT_OP_KEY", "MAIN_OP_KEY") else (f"compat.v2.saved_model.{_name}",)
    public_value(f"saved_model.{_name}", f"saved_model.constants.{_name}", *_plain, name=_name)

DEFAULT_SERVING_SIGNATURE_DEF_KEY = "serving_default"
CLASSIFY_INPUTS = "inputs"
CLASSIFY_METHOD_NAME = "tensorflow/serving/classify"
CLASSIFY_OUTPUT_CLASSES = "classes"
CLASSIFY_OUTPUT_SCORES = "scores"
PREDICT_INPUTS = "inputs"
PREDICT_METHOD_NAME = "tensorflow/serving/predict"
PREDICT_OUTPUTS = "outputs"
REGRESS_INPUTS = "inputs"
REGRESS_METHOD_NAME = "tensorflow/serving/regress"
REGRESS_OUTPUTS = "outputs"
for _name in (
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY CLASSIFY_INPUTS CLASSIFY_METHOD_NAME CLASSIFY_OUTPUT_CLASSES "
    "CLASSIFY_OUTPUT_SCORES PREDICT_INPUTS PREDICT_METHOD_NAME PREDICT_OUTPUTS REGRESS_INPUTS REGRESS_METHOD_NAME "
    "REGRESS_OUTPUTS"
).split():
    public_value(
        f"saved_model.{_name}", f"saved_model.signature_constants.{_name}", f"compat.v2.saved_model.{_name}", name=_name
    )

GPU = "gpu"
SERVING = "serve"
TPU = "tpu"
TRAINING = "train"
for _name in "GPU", "SERVING", "TPU", "TRAINING":
    public_value(
        f"saved_model.{_name}", f"saved_model.tag_constants.{_name}", f"compat.v2.saved_model.{_name}", name=_name
    )
