"""Buckets agree with TensorFlow 1.15.5; training and evaluating write, log and give what they should."""

import logging

import numpy as np
import pytest

from ossia_testkit.golden import golden_tests

test_buckets = golden_tests(__file__, "buckets_cases.py")
test_sampling = golden_tests(__file__, "training_sampling_cases.py")


def _model(tf):
    slim = tf.contrib.slim
    x = tf.constant(np.arange(20, dtype=np.float32).reshape(10, 2) / 20)
    y = tf.constant((np.arange(10) % 2).reshape(10, 1).astype(np.float32))
    return y, slim.fully_connected(x, 1, activation_fn=tf.nn.sigmoid)


def test_slim_trains_and_evaluates(tmp_path, caplog):
    import ossia as tf

    slim, folder = tf.contrib.slim, str(tmp_path)
    caplog.set_level(logging.INFO, "tensorflow")
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        y, predicted = _model(tf)
        slim.losses.log_loss(predicted, y)
        op = slim.learning.create_train_op(slim.losses.get_total_loss(), tf.train.GradientDescentOptimizer(0.5))
        loss = slim.learning.train(op, folder, number_of_steps=7, log_every_n_steps=2, summary_writer=None)
    assert loss == pytest.approx(0.75712854, rel=1e-5)  # what TensorFlow 1.15.5 gives
    steps = [record.getMessage() for record in caplog.records if "global step" in record.getMessage()]
    assert [line.split(" (")[0] for line in steps] == [
        "global step 2: loss = 0.8687", "global step 4: loss = 0.8032", "global step 6: loss = 0.7679"
    ]
    with tf.Graph().as_default():
        y, predicted = _model(tf)
        value, update = slim.metrics.streaming_mean(tf.abs(predicted - y))
        slim.get_or_create_global_step()
        found = slim.evaluation.evaluate_once(
            "", tf.train.latest_checkpoint(folder), folder, num_evals=3, eval_op=update, final_op=value
        )
    assert found == pytest.approx(0.5161225, rel=1e-5)
    with tf.Graph().as_default():
        y, predicted = _model(tf)
        value, update = slim.metrics.streaming_mean(predicted)
        slim.get_or_create_global_step()
        found = slim.evaluation.evaluation_loop(
            "", folder, folder, num_evals=2, eval_op=update, final_op=value, max_number_of_evaluations=1
        )
    assert found == pytest.approx(0.45639348, rel=1e-5)


@pytest.mark.parametrize("arguments", [{"train_op": None}, {"number_of_steps": 0}, {"logdir": None, "saver": 1}])
def test_arguments_that_do_not_fit(arguments, tmp_path):
    import ossia as tf

    with tf.Graph().as_default(), pytest.raises(ValueError):
        tf.contrib.slim.learning.train(**{"train_op": tf.constant(1.0), "logdir": str(tmp_path), **arguments})


def test_sequences_of_one_length_come_together():
    import ossia as tf

    with tf.Graph().as_default(), tf.Session() as session:
        [length] = [tf.train.input_producer([1, 6, 2, 7], num_epochs=1, shuffle=False).dequeue()]
        lengths, [batch] = tf.contrib.training.bucket_by_sequence_length(
            length, [tf.ones([length])], 2, [5], dynamic_pad=True
        )
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        found = sorted((sorted(a.tolist()), b.shape) for a, b in (session.run([lengths, batch]) for _ in range(2)))
        coordinator.request_stop()
        coordinator.join(threads)
    assert found == [([1, 2], (2, 2)), ([6, 7], (2, 7))]
