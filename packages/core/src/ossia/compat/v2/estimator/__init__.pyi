# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental, export as export
from ossia.contrib.estimator import add_metrics as add_metrics
from ossia.estimator import (
 BestExporter as BestExporter, CheckpointSaverHook as CheckpointSaverHook,
 CheckpointSaverListener as CheckpointSaverListener, EstimatorSpec as EstimatorSpec, EvalSpec as EvalSpec,
 Exporter as Exporter, FeedFnHook as FeedFnHook, FinalExporter as FinalExporter, FinalOpsHook as FinalOpsHook,
 GlobalStepWaiterHook as GlobalStepWaiterHook, LatestExporter as LatestExporter, LoggingTensorHook as LoggingTensorHook,
 ModeKeys as ModeKeys, NanLossDuringTrainingError as NanLossDuringTrainingError, NanTensorHook as NanTensorHook,
 ProfilerHook as ProfilerHook, RunConfig as RunConfig, SecondOrStepTimer as SecondOrStepTimer,
 SessionRunArgs as SessionRunArgs, SessionRunContext as SessionRunContext, SessionRunHook as SessionRunHook,
 SessionRunValues as SessionRunValues, StepCounterHook as StepCounterHook, StopAtStepHook as StopAtStepHook,
 SummarySaverHook as SummarySaverHook, TrainSpec as TrainSpec, VocabInfo as VocabInfo,
 WarmStartSettings as WarmStartSettings, classifier_parse_example_spec as classifier_parse_example_spec,
 regressor_parse_example_spec as regressor_parse_example_spec, train_and_evaluate as train_and_evaluate
)
