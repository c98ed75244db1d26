# Written by tools/api_stubs.py; do not edit.
from ossia.estimator.export import (
 ClassificationOutput as ClassificationOutput, ExportOutput as ExportOutput, PredictOutput as PredictOutput,
 RegressionOutput as RegressionOutput, ServingInputReceiver as ServingInputReceiver,
 TensorServingInputReceiver as TensorServingInputReceiver,
 build_parsing_serving_input_receiver_fn as build_parsing_serving_input_receiver_fn,
 build_raw_serving_input_receiver_fn as build_raw_serving_input_receiver_fn
)
