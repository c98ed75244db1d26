"""Public names and ops of ossia_session. Written by `python -m ossia_core.api_table packages/session`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_session", """
.basic_loop: train.basic_train_loop
.creators: train.ChiefSessionCreator train.SessionCreator train.WorkerSessionCreator
.hooks.checkpoint_saver: compat.v2.estimator.CheckpointSaverHook compat.v2.estimator.CheckpointSaverListener
 estimator.CheckpointSaverHook estimator.CheckpointSaverListener train.CheckpointSaverHook train.CheckpointSaverListener
.hooks.feed_fn: compat.v2.estimator.FeedFnHook estimator.FeedFnHook train.FeedFnHook
.hooks.final_ops: compat.v2.estimator.FinalOpsHook estimator.FinalOpsHook train.FinalOpsHook
.hooks.global_step_waiter: compat.v2.estimator.GlobalStepWaiterHook estimator.GlobalStepWaiterHook
 train.GlobalStepWaiterHook
.hooks.logging_tensor: compat.v2.estimator.LoggingTensorHook estimator.LoggingTensorHook train.LoggingTensorHook
.hooks.nan_tensor: compat.v2.estimator.NanLossDuringTrainingError compat.v2.estimator.NanTensorHook
 estimator.NanLossDuringTrainingError estimator.NanTensorHook train.NanLossDuringTrainingError train.NanTensorHook
.hooks.profiler: compat.v2.estimator.ProfilerHook estimator.ProfilerHook train.ProfilerHook
.hooks.step_counter: compat.v2.estimator.StepCounterHook estimator.StepCounterHook train.StepCounterHook
.hooks.stop_at_step: compat.v2.estimator.StopAtStepHook estimator.StopAtStepHook train.StopAtStepHook
.hooks.summary_saver: compat.v2.estimator.SummarySaverHook estimator.SummarySaverHook train.SummarySaverHook
.hooks.timer: compat.v2.estimator.SecondOrStepTimer estimator.SecondOrStepTimer train.SecondOrStepTimer
.manager: train.SessionManager
.monitored: train.MonitoredSession train.MonitoredTrainingSession train.SingularMonitoredSession
.run_hook: compat.v2.estimator.SessionRunArgs compat.v2.estimator.SessionRunContext compat.v2.estimator.SessionRunHook
 compat.v2.estimator.SessionRunValues estimator.SessionRunArgs estimator.SessionRunContext estimator.SessionRunHook
 estimator.SessionRunValues train.SessionRunArgs train.SessionRunContext train.SessionRunHook train.SessionRunValues
.scaffold: train.Scaffold
.supervisor: train.Supervisor
""")
