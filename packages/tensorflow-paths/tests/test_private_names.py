"""What unit tests take from private modules, as the modules are served."""

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths.python.framework.device import DeviceSpecV2
from ossia_tensorflow_paths.python.ops import random_ops as draws
from ossia_tensorflow_paths.python.training import input as batches
from ossia_tensorflow_paths.python.training import server_lib as servers
from ossia_tensorflow_tests.python.ops import measures


@pytest.fixture(autouse=True)
def session():
    with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
        yield session


def test_devices_that_do_not_change():
    device = DeviceSpecV2.from_string("/job:w/replica:1/task:2/device:CPU:0")
    assert (device.job, device.task, device.replace(task=5).task) == ("w", 2, 5)
    assert device.make_merged_spec(tf.DeviceSpec(job="x")).to_string() == "/job:x/replica:1/task:2/device:CPU:0"
    assert {device: 1}[DeviceSpecV2(job="w", replica=1, task=2, device_type="CPU", device_index=0)] == 1
    assert device != tf.DeviceSpec.from_string(device.to_string())
    with pytest.raises(AttributeError):
        device.job = "other"


def test_sparse_tensors_on_their_way_through_a_queue(session):
    pair = [tf.constant([1.0]), tf.SparseTensor([[0, 1]], [5], [2, 3])]
    stored, infos = batches._store_sparse_tensors(pair, enqueue_many=False, keep_input=tf.constant(True))
    assert (infos[0], stored[1].dtype) == (None, tf.int64)
    stored[1] = tf.expand_dims(stored[1], 0)
    plain, sparse = batches._restore_sparse_tensors(stored, infos)
    assert session.run(plain).tolist() == [1.0] and session.run(sparse).values.tolist() == [5]


def test_streamed_confusion_matrices(session):
    total, update = measures._streaming_confusion_matrix(tf.constant([0, 1, 1]), tf.constant([1, 1, 0]), 2)
    session.run(tf.local_variables_initializer())
    for wanted in ([[0, 1], [1, 1]], [[0, 2], [2, 2]]):
        assert session.run(update).tolist() == wanted == session.run(total).tolist()


def test_definitions_of_servers():
    made = servers._make_server_def({"ps": ["a:1"]}, None, None, None, None)
    assert (made.job_name, made.task_index, made.protocol) == ("ps", 0, "grpc")
    with pytest.raises(ValueError, match="explicit `task_index`"):
        servers._make_server_def({"ps": ["a:1", "b:2"]}, None, None, None, None)


def test_draws_of_categories(session):
    logits = np.float32([[0.0, 50.0]])
    drawn = draws.multinomial_categorical_impl(logits, 3, tf.int32, 5)
    alone = draws.stateless_multinomial_categorical_impl(logits, 3, tf.int64, [1, 2])
    assert (drawn.op.get_attr("seed2"), drawn.dtype, alone.dtype) == (5, tf.int32, tf.int64)
    assert [found.tolist() for found in session.run([drawn, alone])] == [[[1, 1, 1]]] * 2
