"""How estimators run, and what `TF_CONFIG` says about it."""

import json

import pytest

import ossia as tf

RunConfig = tf.estimator.RunConfig


@pytest.mark.parametrize(
    "arguments",
    [
        dict(save_checkpoints_steps=1, save_checkpoints_secs=2), dict(tf_random_seed="a"), dict(save_summary_steps=-1),
        dict(keep_checkpoint_max=-1), dict(log_step_count_steps=0), dict(session_config={}), dict(device_fn=3),
        dict(protocol="x"), dict(keep_checkpoint_every_n_hours=0), dict(model_dir=""),
        dict(session_creation_timeout_secs=0), dict(experimental_max_worker_delay_secs="x"),
    ],
)  # fmt: skip
def test_refused(arguments):
    with pytest.raises(ValueError):
        RunConfig(**arguments)


def test_replace():
    config = RunConfig()
    assert (config.save_checkpoints_secs, config.save_checkpoints_steps) == (600, None)
    assert config.replace(save_checkpoints_steps=5).save_checkpoints_secs is None
    assert config.replace(tf_random_seed=5).tf_random_seed == 5 and config.tf_random_seed is None
    with pytest.raises(ValueError, match="not supported"):
        config.replace(other=1)
    with pytest.raises(ValueError, match="both"):
        config.replace(save_checkpoints_steps=5, save_checkpoints_secs=5)


CLUSTER = {"chief": ["a:1"], "ps": ["b:1", "c:1"], "worker": ["d:1"]}


@pytest.mark.parametrize(
    "environment,expected",  # task, number among all, master, chief, parameter servers, workers
    [
        ({}, ("worker", 0, 0, "", True, 0, 1)),
        ({"session_master": "x"}, ("worker", 0, 0, "x", True, 0, 1)),
        ({"cluster": CLUSTER, "task": {"type": "worker", "index": 0}}, ("worker", 0, 1, "grpc://d:1", False, 2, 2)),
        ({"cluster": CLUSTER, "task": {"type": "evaluator", "index": 0}}, ("evaluator", 0, None, "", False, 0, 0)),
        ({"cluster": {"chief": ["a:1"]}, "task": {"type": "chief", "index": 0}}, ("chief", 0, 0, "", True, 0, 1)),
    ],
)  # fmt: skip
def test_environment(monkeypatch, environment, expected):
    monkeypatch.setenv("TF_CONFIG", json.dumps(environment))
    config = RunConfig()
    assert (
        config.task_type, config.task_id, config.global_id_in_cluster, config.master, config.is_chief,
        config.num_ps_replicas, config.num_worker_replicas,
    ) == expected  # fmt: skip


@pytest.mark.parametrize(
    "environment",
    [
        {"cluster": {"worker": ["d:1"]}, "task": {"type": "worker", "index": 0}},
        {"cluster": {"chief": ["a:1", "b:1"]}, "task": {"type": "chief", "index": 0}},
        {"cluster": CLUSTER}, {"task": {"type": "ps", "index": 0}}, {"service": 3},
    ],
)  # fmt: skip
def test_refused_environments(monkeypatch, environment):
    monkeypatch.setenv("TF_CONFIG", json.dumps(environment))
    with pytest.raises(ValueError):
        RunConfig()


def test_directory_of_the_environment(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", json.dumps({"model_dir": "/tmp/there"}))
    assert RunConfig().model_dir == "/tmp/there"
    with pytest.raises(ValueError):
        RunConfig(model_dir="/tmp/elsewhere")
