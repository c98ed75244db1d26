# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental, export as export, inputs as inputs, tpu as tpu
from ossia.contrib.estimator import add_metrics as add_metrics
from ossia_checkpoint.warm_start import VocabInfo as VocabInfo
from ossia_estimator.boosted_trees.estimators import (
 BoostedTreesClassifier as BoostedTreesClassifier, BoostedTreesRegressor as BoostedTreesRegressor
)
from ossia_estimator.canned.baseline import (
 BaselineClassifier as BaselineClassifier, BaselineEstimator as BaselineEstimator,
 BaselineRegressor as BaselineRegressor
)
from ossia_estimator.canned.combined import (
 DNNLinearCombinedClassifier as DNNLinearCombinedClassifier, DNNLinearCombinedEstimator as DNNLinearCombinedEstimator,
 DNNLinearCombinedRegressor as DNNLinearCombinedRegressor
)
from ossia_estimator.canned.dnn import (
 DNNClassifier as DNNClassifier, DNNEstimator as DNNEstimator, DNNRegressor as DNNRegressor
)
from ossia_estimator.canned.linear import (
 LinearClassifier as LinearClassifier, LinearEstimator as LinearEstimator, LinearRegressor as LinearRegressor
)
from ossia_estimator.estimator import Estimator as Estimator
from ossia_estimator.exporters import (
 BestExporter as BestExporter, Exporter as Exporter, FinalExporter as FinalExporter, LatestExporter as LatestExporter
)
from ossia_estimator.model_spec import EstimatorSpec as EstimatorSpec
from ossia_estimator.modes import ModeKeys as ModeKeys
from ossia_estimator.parsing_specs import (
 classifier_parse_example_spec as classifier_parse_example_spec,
 regressor_parse_example_spec as regressor_parse_example_spec
)
from ossia_estimator.run_config import RunConfig as RunConfig
from ossia_estimator.specs import EvalSpec as EvalSpec, TrainSpec as TrainSpec
from ossia_estimator.training import train_and_evaluate as train_and_evaluate
from ossia_estimator.warm_start_settings import WarmStartSettings as WarmStartSettings
from ossia_session.hooks.checkpoint_saver import (
 CheckpointSaverHook as CheckpointSaverHook, CheckpointSaverListener as CheckpointSaverListener
)
from ossia_session.hooks.feed_fn import FeedFnHook as FeedFnHook
from ossia_session.hooks.final_ops import FinalOpsHook as FinalOpsHook
from ossia_session.hooks.global_step_waiter import GlobalStepWaiterHook as GlobalStepWaiterHook
from ossia_session.hooks.logging_tensor import LoggingTensorHook as LoggingTensorHook
from ossia_session.hooks.nan_tensor import (
 NanLossDuringTrainingError as NanLossDuringTrainingError, NanTensorHook as NanTensorHook
)
from ossia_session.hooks.profiler import ProfilerHook as ProfilerHook
from ossia_session.hooks.step_counter import StepCounterHook as StepCounterHook
from ossia_session.hooks.stop_at_step import StopAtStepHook as StopAtStepHook
from ossia_session.hooks.summary_saver import SummarySaverHook as SummarySaverHook
from ossia_session.hooks.timer import SecondOrStepTimer as SecondOrStepTimer
from ossia_session.run_hook import (
 SessionRunArgs as SessionRunArgs, SessionRunContext as SessionRunContext, SessionRunHook as SessionRunHook,
 SessionRunValues as SessionRunValues
)
