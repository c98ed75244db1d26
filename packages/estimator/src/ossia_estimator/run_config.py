"""`tf.estimator.RunConfig`: how an estimator runs, and which task of a cluster it is."""
from __future__ import annotations

import copy
import inspect
import json
import os
import tempfile
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from ossia_core.names import logging
from ossia_core.plugins.api_table import public

_NOT_GIVEN = object()
_REPLACEABLE = (
    "model_dir", "tf_random_seed", "save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs",
    "session_config", "keep_checkpoint_max", "keep_checkpoint_every_n_hours", "log_step_count_steps",
    "train_distribute", "device_fn", "protocol", "eval_distribute", "experimental_distribute",
    "experimental_max_worker_delay_secs", "session_creation_timeout_secs",
)


@public("estimator.RunConfig", "compat.v2.estimator.RunConfig")
class RunConfig:
    """How an estimator runs. The environment variable `TF_CONFIG`, a JSON object, says which task of which cluster
    this process is.

    Args:
        model_dir: Directory of checkpoints and event files.
        tf_random_seed: Seed of the graphs.
        save_summary_steps: Steps between two summaries.
        save_checkpoints_steps: Steps between two checkpoints.
        save_checkpoints_secs: Seconds between two checkpoints; 600 if steps are not given either.
        session_config: The ConfigProto of sessions.
        keep_checkpoint_max: How many of the newest checkpoints to keep; 0 or None for all.
        keep_checkpoint_every_n_hours: One checkpoint in so many hours is kept for good.
        log_step_count_steps: Steps between two lines of the log with the loss and the speed; None for none.
        train_distribute: A distribution strategy of training.
        device_fn: Places operations, instead of on parameter servers.
        protocol: "grpc", "grpc+verbs" or None.
        eval_distribute: A distribution strategy of evaluation.
        experimental_distribute: A configuration of strategies, as `train_and_evaluate` has them.
        experimental_max_worker_delay_secs: How long a worker waits before it starts at most.
        session_creation_timeout_secs: How long workers wait for the chief.

    Raises:
        ValueError: A value is out of range, both intervals of checkpoints are given, or `TF_CONFIG` makes no sense.
    """

    def __init__(
        self, model_dir: str | None = None, tf_random_seed: int | None = None, save_summary_steps: int | None = 100,
        save_checkpoints_steps: Any = _NOT_GIVEN, save_checkpoints_secs: Any = _NOT_GIVEN, session_config: Any = None,
        keep_checkpoint_max: int | None = 5, keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int | None = 100, train_distribute: Any = None, device_fn: Callable | None = None,
        protocol: str | None = None, eval_distribute: Any = None, experimental_distribute: Any = None,
        experimental_max_worker_delay_secs: int | None = None, session_creation_timeout_secs: int = 7200,
    ) -> None:
        if save_checkpoints_steps is _NOT_GIVEN and save_checkpoints_secs is _NOT_GIVEN:
            save_checkpoints_steps, save_checkpoints_secs = None, 600
        elif save_checkpoints_secs is _NOT_GIVEN:
            save_checkpoints_secs = None
        elif save_checkpoints_steps is _NOT_GIVEN:
            save_checkpoints_steps = None
        environment = json.loads(os.environ.get("TF_CONFIG") or "{}")
        if environment:
            logging.info("TF_CONFIG environment variable: %s", environment)
        self._set(
            dict(
                model_dir=_model_dir(environment, model_dir), tf_random_seed=tf_random_seed,
                save_summary_steps=save_summary_steps, save_checkpoints_steps=save_checkpoints_steps,
                save_checkpoints_secs=save_checkpoints_secs, session_config=session_config,
                keep_checkpoint_max=keep_checkpoint_max, keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
                log_step_count_steps=log_step_count_steps, train_distribute=train_distribute, device_fn=device_fn,
                protocol=protocol, eval_distribute=eval_distribute, experimental_distribute=experimental_distribute,
                experimental_max_worker_delay_secs=experimental_max_worker_delay_secs,
                session_creation_timeout_secs=session_creation_timeout_secs,
            )
        )
        self._read_environment(environment)

    def _set(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            _check(name, value)
            setattr(self, f"_{name}", value)
        if self.save_checkpoints_steps is not None and self.save_checkpoints_secs is not None:
            raise ValueError("`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set.")

    def _read_environment(self, environment: dict[str, Any]) -> None:
        from ossia_distribute.cluster import ClusterSpec

        self._service = environment.get("service")
        if self._service is not None and not isinstance(self._service, dict):
            raise ValueError('If "service" is set in TF_CONFIG, it must be a dict. Given ' + str(type(self._service)))
        self._cluster_spec = ClusterSpec(environment.get("cluster") or {})
        task = environment.get("task") or {}
        self._task_type = task.get("type")
        self._task_id = int(task.get("index", 0 if self._task_type is None else -1))
        self._global_id_in_cluster: int | None = 0
        self._master = environment.get("session_master", "")
        self._evaluation_master = environment.get("eval_session_master", "")
        if not self._cluster_spec.jobs:
            if self._task_type not in (None, "worker"):
                raise ValueError('If "cluster" is not set in TF_CONFIG, task type must be WORKER.')
            if self._task_id not in (0, -1) or (self._task_type and self._task_id < 0):
                raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
            self._task_type, self._task_id = "worker", 0
            self._is_chief, self._num_ps_replicas, self._num_worker_replicas = True, 0, 1
            return
        if self._task_type is None:
            raise ValueError('If "cluster" is set in TF_CONFIG, task type must be set.')
        self._read_cluster()

    def _read_cluster(self) -> None:
        tasks = self._cluster_spec.as_dict()
        chiefs = len(tasks.get("chief", ()))
        if not chiefs:
            raise ValueError('If "cluster" is set in TF_CONFIG, it must have one "chief" node.')
        if chiefs > 1:
            raise ValueError('The "cluster" in TF_CONFIG must have only one "chief" node.')
        if self._task_id < 0:
            raise ValueError("Task index must be non-negative number.")
        self._is_chief = self._task_type == "chief"
        if self._task_type == "evaluator":
            self._num_ps_replicas = self._num_worker_replicas = 0
            self._global_id_in_cluster = None
            self._cluster_spec = type(self._cluster_spec)({})
            return
        if self._task_type not in tasks:
            raise ValueError(f"{self._task_type} is not a valid task_type in the cluster_spec: {tasks}")
        if self._task_id >= len(tasks[self._task_type]):
            raise ValueError(f"{self._task_id} is not a valid task_id for task_type {self._task_type}")
        self._num_ps_replicas = len(tasks.get("ps", ()))
        self._num_worker_replicas = len(tasks.get("worker", ())) + 1
        first = {"chief": 0, "worker": 1, "ps": self._num_worker_replicas}.get(str(self._task_type))
        self._global_id_in_cluster = None if first is None else first + self._task_id
        if sum(len(group) for group in tasks.values()) > 1 and not self._master:
            self._master = f"{self.protocol or 'grpc'}://{tasks[self._task_type][self._task_id]}"

    def replace(self, **kwargs: Any) -> RunConfig:
        """A copy with other values.

        Args:
            **kwargs: Arguments of the constructor; one interval of checkpoints takes the place of the other.

        Raises:
            ValueError: An argument has no such name, or a value is out of range.
        """
        for name in kwargs:
            if name not in _REPLACEABLE:
                raise ValueError(f"Replacing {name} is not supported. Allowed properties are {list(_REPLACEABLE)}.")
        made = copy.deepcopy(self)
        intervals = {name for name in ("save_checkpoints_steps", "save_checkpoints_secs") if kwargs.get(name)}
        if len(intervals) == 1:
            other = {"save_checkpoints_steps", "save_checkpoints_secs"} - intervals
            kwargs[other.pop()] = None
        made._set(kwargs)
        return made

    model_dir = property(attrgetter("_model_dir"), doc="Directory of checkpoints and event files.")
    tf_random_seed = property(attrgetter("_tf_random_seed"), doc="Seed of the graphs.")
    save_summary_steps = property(attrgetter("_save_summary_steps"), doc="Steps between two summaries.")
    save_checkpoints_steps = property(attrgetter("_save_checkpoints_steps"), doc="Steps between two checkpoints.")
    save_checkpoints_secs = property(attrgetter("_save_checkpoints_secs"), doc="Seconds between two checkpoints.")
    session_config = property(attrgetter("_session_config"), doc="The ConfigProto of sessions.")
    keep_checkpoint_max = property(attrgetter("_keep_checkpoint_max"), doc="How many checkpoints are kept.")
    keep_checkpoint_every_n_hours = property(
        attrgetter("_keep_checkpoint_every_n_hours"), doc="Hours between checkpoints that are kept for good."
    )
    log_step_count_steps = property(attrgetter("_log_step_count_steps"), doc="Steps between two lines of the log.")
    train_distribute = property(attrgetter("_train_distribute"), doc="The strategy of training.")
    eval_distribute = property(attrgetter("_eval_distribute"), doc="The strategy of evaluation.")
    device_fn = property(attrgetter("_device_fn"), doc="Places operations.")
    protocol = property(attrgetter("_protocol"), doc="The protocol of the cluster.")
    experimental_max_worker_delay_secs = property(
        attrgetter("_experimental_max_worker_delay_secs"), doc="Longest wait of a worker before it starts, in seconds."
    )
    session_creation_timeout_secs = property(
        attrgetter("_session_creation_timeout_secs"), doc="How long workers wait for the chief."
    )
    service = property(attrgetter("_service"), doc="What `TF_CONFIG` says about a service.")
    cluster_spec = property(attrgetter("_cluster_spec"), doc="The cluster.")
    task_type = property(attrgetter("_task_type"), doc="The job of this task.")
    task_id = property(attrgetter("_task_id"), doc="The number of this task in its job.")
    global_id_in_cluster = property(attrgetter("_global_id_in_cluster"), doc="The number of this task among all.")
    master = property(attrgetter("_master"), doc="The engine for training.")
    evaluation_master = property(attrgetter("_evaluation_master"), doc="The engine for evaluation.")
    is_chief = property(attrgetter("_is_chief"), doc="Whether this task saves the model.")
    num_ps_replicas = property(attrgetter("_num_ps_replicas"), doc="How many parameter servers there are.")
    num_worker_replicas = property(attrgetter("_num_worker_replicas"), doc="How many tasks train.")


def _model_dir(environment: dict[str, Any], given: Any) -> Any:
    chosen = environment.get("model_dir", "") if given is None else given
    if given is not None:
        if given == "":
            raise ValueError("model_dir should be non-empty.")
        if environment.get("model_dir") not in (None, given):
            raise ValueError(
                f"`model_dir` provided in RunConfig construct, if set, must have the same value as the model_dir in "
                f"TF_CONFIG. model_dir: {given} TF_CONFIG[\"model_dir\"]: {environment['model_dir']}."
            )
    return chosen or None


def _check(name: str, value: Any) -> None:
    """Raises ValueError where the value of an argument is out of range."""
    if value is None and name not in ("keep_checkpoint_every_n_hours", "session_creation_timeout_secs"):
        return
    if name == "model_dir" and not value:
        raise ValueError("model_dir should be non-empty.")
    if name in ("tf_random_seed", "experimental_max_worker_delay_secs") and not _is_integer(value):
        raise ValueError(f"{name} must be integer.")
    if name in ("save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs", "keep_checkpoint_max"):
        if value < 0:
            raise ValueError(f"{name} should be >= 0")
    if name in ("keep_checkpoint_every_n_hours", "log_step_count_steps", "session_creation_timeout_secs"):
        if value <= 0:
            raise ValueError(f"{name} should be > 0")
    if name == "session_config":
        from ossia_core.proto import ConfigProto

        if not isinstance(value, ConfigProto):
            raise ValueError("session_config must be instance of ConfigProto")
    if name == "device_fn" and not (callable(value) and list(inspect.signature(value).parameters) == ["op"]):
        raise ValueError('device_fn must be callable with exactly one argument "op".')
    if name == "protocol" and value not in ("grpc", "grpc+verbs"):
        raise ValueError("protocol should be grpc or grpc+verbs")


def _is_integer(value: Any) -> bool:
    import numpy as np

    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def default_session_config() -> Any:
    """The ConfigProto of sessions for which a program gives none."""
    from ossia_core.proto import ConfigProto

    config = ConfigProto(allow_soft_placement=True, device_filters=_device_filters())
    config.graph_options.rewrite_options.meta_optimizer_iterations = 1  # ONE
    return config


def _device_filters() -> list[str]:
    """The tasks of the cluster that this task talks to: parameter servers and itself, or all for a server."""
    environment = json.loads(os.environ.get("TF_CONFIG") or "{}")
    task = environment.get("task") or {}
    kind = task.get("type")
    if not environment.get("cluster"):
        return []
    return {
        "chief": ["/job:ps", "/job:chief"],
        "worker": ["/job:ps", f"/job:worker/task:{task.get('index', 0)}"],
        "ps": ["/job:ps", "/job:worker", "/job:chief", "/job:master"],
    }.get(str(kind), [])


def resolved(config: Any, model_dir: Any) -> RunConfig:
    """A RunConfig that has a directory and a session config."""
    if config is None:
        logging.info("Using default config.")
        config = RunConfig()
    if not isinstance(config, RunConfig):
        raise ValueError(f"config must be an instance of `RunConfig`, but provided {config}.")
    if model_dir is not None:
        model_dir = os.fspath(model_dir)
        if config.model_dir not in (None, model_dir):
            raise ValueError(
                "`model_dir` are set both in constructor and `RunConfig`, but with different values. In constructor: "
                f"'{model_dir}', in `RunConfig`: '{config.model_dir}' "
            )
    if not model_dir and config.model_dir is None:
        model_dir = tempfile.mkdtemp()
        logging.warning("Using temporary folder as model directory: %s", model_dir)
    changes = {"model_dir": model_dir} if model_dir else {}
    if config.session_config is None:
        changes["session_config"] = default_session_config()
    return RunConfig.replace(config, **changes)


def device_setter(config: RunConfig) -> Any:
    """What places variables on parameter servers; None where there are none."""
    if not config.num_ps_replicas:
        return None
    from ossia_distribute.device_setter import replica_device_setter

    return replica_device_setter(
        ps_tasks=config.num_ps_replicas, worker_device=f"/job:{config.task_type}/task:{config.task_id}",
        merge_devices=True, cluster=config.cluster_spec,
    )
