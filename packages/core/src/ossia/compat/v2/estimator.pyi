# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.estimator import (
 CheckpointSaverHook as CheckpointSaverHook, CheckpointSaverListener as CheckpointSaverListener,
 FeedFnHook as FeedFnHook, FinalOpsHook as FinalOpsHook, GlobalStepWaiterHook as GlobalStepWaiterHook,
 LoggingTensorHook as LoggingTensorHook, NanLossDuringTrainingError as NanLossDuringTrainingError,
 NanTensorHook as NanTensorHook, ProfilerHook as ProfilerHook, SecondOrStepTimer as SecondOrStepTimer,
 SessionRunArgs as SessionRunArgs, SessionRunContext as SessionRunContext, SessionRunHook as SessionRunHook,
 SessionRunValues as SessionRunValues, StepCounterHook as StepCounterHook, StopAtStepHook as StopAtStepHook,
 SummarySaverHook as SummarySaverHook
)
