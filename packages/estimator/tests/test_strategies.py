"""Strategies of RunConfig: training, evaluation and input as the original's."""
import json

import ossia as tf
from ossia_testkit.golden import golden_tests

test_strategies = golden_tests(__file__, "strategies_cases.py")


def test_workers_stop_at_a_checkpoint(tmp_path, monkeypatch):
    cluster = {"chief": ["localhost:1"], "worker": ["localhost:2"], "ps": ["localhost:3"]}
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": {"type": "worker", "index": 0}}))
    worker = tf.estimator.Estimator(lambda features: None, str(tmp_path))
    monkeypatch.delenv("TF_CONFIG")
    hook = tf.estimator.experimental.make_stop_at_checkpoint_step_hook(worker, 3, wait_after_file_check_secs=0)
    steps = []
    with tf.Graph().as_default():
        step = tf.train.create_global_step()
        more = tf.assign_add(step, 1)
        saver = tf.train.Saver()
        with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
            while not session.should_stop():
                steps.append(int(session.run(more)))
                if steps[-1] == 5:
                    saver.save(session.raw_session(), str(tmp_path / "model.ckpt"), global_step=5)
    assert steps[-1] == 6
    chief = tf.estimator.Estimator(lambda features: None, str(tmp_path))
    assert isinstance(tf.estimator.experimental.make_stop_at_checkpoint_step_hook(chief, 3), tf.train.StopAtStepHook)
