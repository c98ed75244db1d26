# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental, queue_runner as queue_runner
from ossia.distribute import Server as Server
from ossia.estimator import (
 CheckpointSaverHook as CheckpointSaverHook, CheckpointSaverListener as CheckpointSaverListener,
 FeedFnHook as FeedFnHook, FinalOpsHook as FinalOpsHook, GlobalStepWaiterHook as GlobalStepWaiterHook,
 LoggingTensorHook as LoggingTensorHook, NanLossDuringTrainingError as NanLossDuringTrainingError,
 NanTensorHook as NanTensorHook, ProfilerHook as ProfilerHook, SecondOrStepTimer as SecondOrStepTimer,
 SessionRunArgs as SessionRunArgs, SessionRunContext as SessionRunContext, SessionRunHook as SessionRunHook,
 SessionRunValues as SessionRunValues, StepCounterHook as StepCounterHook, StopAtStepHook as StopAtStepHook,
 SummarySaverHook as SummarySaverHook, VocabInfo as VocabInfo
)
from ossia.io import match_filenames_once as match_filenames_once, write_graph as write_graph
from ossia.pywrap_tensorflow import NewCheckpointReader as NewCheckpointReader
from ossia_checkpoint.initializers import init_from_checkpoint as init_from_checkpoint
from ossia_checkpoint.meta_graph import export_meta_graph as export_meta_graph, import_meta_graph as import_meta_graph
from ossia_checkpoint.objects.checkpoint import Checkpoint as Checkpoint
from ossia_checkpoint.objects.manager import CheckpointManager as CheckpointManager
from ossia_checkpoint.reader import (
 list_variables as list_variables, load_checkpoint as load_checkpoint, load_variable as load_variable
)
from ossia_checkpoint.saver import Saver as Saver
from ossia_checkpoint.state import (
 checkpoint_exists as checkpoint_exists, checkpoints_iterator as checkpoints_iterator,
 generate_checkpoint_state_proto as generate_checkpoint_state_proto, get_checkpoint_mtimes as get_checkpoint_mtimes,
 get_checkpoint_state as get_checkpoint_state, latest_checkpoint as latest_checkpoint,
 remove_checkpoint as remove_checkpoint, update_checkpoint_state as update_checkpoint_state
)
from ossia_checkpoint.warm_start import warm_start as warm_start
from ossia_coordination.coordinator import Coordinator as Coordinator, LooperThread as LooperThread
from ossia_coordination.queue_runner import (
 QueueRunner as QueueRunner, add_queue_runner as add_queue_runner, start_queue_runners as start_queue_runners
)
from ossia_core.proto import (
 BytesList as BytesList, ClusterDef as ClusterDef, Example as Example, Feature as Feature, FeatureList as FeatureList,
 FeatureLists as FeatureLists, Features as Features, FloatList as FloatList, Int64List as Int64List, JobDef as JobDef,
 QueueRunnerDef as QueueRunnerDef, SaverDef as SaverDef, SequenceExample as SequenceExample, ServerDef as ServerDef
)
from ossia_distribute.cluster import ClusterSpec as ClusterSpec
from ossia_distribute.device_setter import replica_device_setter as replica_device_setter
from ossia_distribute.sync_replicas import SyncReplicasOptimizer as SyncReplicasOptimizer
from ossia_ops.state.global_step import (
 assert_global_step as assert_global_step, create_global_step as create_global_step, get_global_step as get_global_step,
 get_or_create_global_step as get_or_create_global_step, global_step as global_step
)
from ossia_optimizers.adadelta import AdadeltaOptimizer as AdadeltaOptimizer
from ossia_optimizers.adagrad import AdagradOptimizer as AdagradOptimizer
from ossia_optimizers.adagrad_da import AdagradDAOptimizer as AdagradDAOptimizer
from ossia_optimizers.adam import AdamOptimizer as AdamOptimizer
from ossia_optimizers.base import Optimizer as Optimizer
from ossia_optimizers.ftrl import FtrlOptimizer as FtrlOptimizer
from ossia_optimizers.momentum import MomentumOptimizer as MomentumOptimizer
from ossia_optimizers.moving_average import ExponentialMovingAverage as ExponentialMovingAverage
from ossia_optimizers.proximal_adagrad import ProximalAdagradOptimizer as ProximalAdagradOptimizer
from ossia_optimizers.proximal_sgd import ProximalGradientDescentOptimizer as ProximalGradientDescentOptimizer
from ossia_optimizers.rmsprop import RMSPropOptimizer as RMSPropOptimizer
from ossia_optimizers.sdca import (
 sdca_fprint as sdca_fprint, sdca_optimizer as sdca_optimizer, sdca_shrink_l1 as sdca_shrink_l1
)
from ossia_optimizers.sgd import GradientDescentOptimizer as GradientDescentOptimizer
from ossia_queues.batching import (
 batch as batch, batch_join as batch_join, maybe_batch as maybe_batch, maybe_batch_join as maybe_batch_join,
 maybe_shuffle_batch as maybe_shuffle_batch, maybe_shuffle_batch_join as maybe_shuffle_batch_join,
 shuffle_batch as shuffle_batch, shuffle_batch_join as shuffle_batch_join
)
from ossia_queues.producers import (
 input_producer as input_producer, limit_epochs as limit_epochs, range_input_producer as range_input_producer,
 slice_input_producer as slice_input_producer, string_input_producer as string_input_producer
)
from ossia_schedules.cosine import (
 cosine_decay as cosine_decay, linear_cosine_decay as linear_cosine_decay,
 noisy_linear_cosine_decay as noisy_linear_cosine_decay
)
from ossia_schedules.cosine_restarts import cosine_decay_restarts as cosine_decay_restarts
from ossia_schedules.exponential import exponential_decay as exponential_decay, natural_exp_decay as natural_exp_decay
from ossia_schedules.inverse_time import inverse_time_decay as inverse_time_decay
from ossia_schedules.piecewise import (
 piecewise_constant as piecewise_constant, piecewise_constant as _piecewise_constant_decay
)
from ossia_schedules.polynomial import polynomial_decay as polynomial_decay
from ossia_session.basic_loop import basic_train_loop as basic_train_loop
from ossia_session.creators import (
 ChiefSessionCreator as ChiefSessionCreator, SessionCreator as SessionCreator,
 WorkerSessionCreator as WorkerSessionCreator
)
from ossia_session.hooks.progress import ProgressHook as ProgressHook
from ossia_session.manager import SessionManager as SessionManager
from ossia_session.monitored import (
 MonitoredSession as MonitoredSession, MonitoredTrainingSession as MonitoredTrainingSession,
 SingularMonitoredSession as SingularMonitoredSession
)
from ossia_session.scaffold import Scaffold as Scaffold
from ossia_session.supervisor import Supervisor as Supervisor
from ossia_summary.reading import summary_iterator as summary_iterator
from ossia_summary.writer import SummaryWriter as SummaryWriter
piecewise_constant_decay = _piecewise_constant_decay
