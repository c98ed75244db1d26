"""What tests take from `client.session`, `training.evaluation`, the hooks of several steps and the event writer."""

import pytest

import ossia as tf
from ossia_tensorflow_paths.python import pywrap_tensorflow as events
from ossia_tensorflow_paths.python.client import session as sessions
from ossia_tensorflow_paths.python.training import basic_session_run_hooks as multi_step
from ossia_tensorflow_paths.python.training import evaluation
from ossia_tensorflow_paths.python.training import optimizer as optimizers


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_fetches_are_taken_apart():
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    nothing = tf.no_op(name="n")
    make = sessions._FetchMapper.for_fetch
    assert type(make(a)) is sessions._ElementFetchMapper and type(make([a])) is sessions._ListFetchMapper
    mapper = make({"x": a, "y": (b, [a])})
    assert type(mapper) is sessions._DictFetchMapper and mapper.unique_fetches() == [a, b]
    assert mapper.build_results([1, 2]) == {"x": 1, "y": (2, [1])}
    assert make(nothing).build_results([]) is None
    with pytest.raises(TypeError, match="Fetch argument None has invalid type"):
        make(None)
    assert sessions._uniquify_fetches([make([a, b]), make([b, a])]) == ([a, b], [[0, 1], [1, 0]])
    handler = sessions._FetchHandler(a.graph, [a, {"q": b}, nothing], {})
    assert (handler.fetches(), handler.targets()) == ([a, b], [nothing])
    assert handler.build_results(None, [1.0, 2.0]) == [1.0, {"q": 2.0}, None]


def test_attributes_of_devices():
    attributes = sessions._DeviceAttributes("/job:worker/replica:0/task:3/cpu:1", "CPU", 1337, 1000000)
    assert attributes.name == "/job:worker/replica:0/task:3/device:CPU:1"
    assert repr(attributes) == "_DeviceAttributes(/job:worker/replica:0/task:3/device:CPU:1, CPU, 1337, 1000000)"
    assert issubclass(tf.Session, sessions.SessionInterface)


@pytest.fixture
def checkpoint(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        step = tf.train.get_or_create_global_step()
        tf.get_variable("w", initializer=3.0)
        session.run(tf.global_variables_initializer())
        session.run(step.assign(7))
        return tf.train.Saver().save(session, str(tmp_path / "model"))


@pytest.mark.parametrize("steps_per_run", [None, 3])
def test_evaluation(checkpoint, steps_per_run):
    step = tf.train.get_or_create_global_step()
    w = tf.get_variable("w", initializer=0.0)
    count = tf.get_variable("count", initializer=0, collections=["local_variables"])
    if steps_per_run is None:
        hook = evaluation._StopAfterNEvalsHook(3)
    else:
        hook = evaluation._MultiStepStopAfterNEvalsHook(8, steps_per_run)
    found = evaluation._evaluate_once(
        checkpoint, eval_ops=tf.assign_add(count, 1), final_ops={"w": w, "step": step, "runs": count}, hooks=[hook]
    )
    assert found == {"w": 3.0, "step": 7, "runs": 3}
    assert [v.op.name for v in tf.get_collection(tf.GraphKeys.EVAL_STEP)] == ["eval_step"]


def test_the_number_of_evaluations_is_one_variable():
    step = evaluation._get_or_create_eval_step()
    assert evaluation._get_or_create_eval_step() is step
    tf.add_to_collection(tf.GraphKeys.EVAL_STEP, step)
    with pytest.raises(ValueError, match="Multiple tensors added to tf.GraphKeys.EVAL_STEP"):
        evaluation._get_or_create_eval_step()


def test_the_last_run_makes_the_steps_that_are_left():
    step = tf.train.get_or_create_global_step()
    hook = multi_step._MultiStepStopAtStepHook(last_step=25, steps_per_run=10)
    advance = tf.assign_add(step, tf.cast(multi_step.get_or_create_steps_per_run_variable(), tf.int64))
    seen = []
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        while not session.should_stop():
            seen.append(int(session.run(advance)))
    assert seen == [10, 20, 25]
    with pytest.raises(ValueError, match="steps_per_run should be greater than 0"):
        multi_step._MultiStepStopAtStepHook(1, steps_per_run=0)


def test_writer_of_events(tmp_path):
    writer = events.EventsWriter(str(tmp_path / "run").encode())
    path = writer.FileName().decode()
    writer.WriteEvent(tf.Event(step=3))
    writer.Close()
    assert [event.step for event in tf.train.summary_iterator(path)] == [0, 3]
    with pytest.raises(TypeError, match="Expected an event_pb2.Event proto,  but got"):
        writer.WriteEvent("text")
    other = events.EventsWriter(str(tmp_path / "run").encode())
    other.InitWithSuffix(b".end")
    assert other.FileName().endswith(b".end")
    other.Close()


def test_how_optimizers_treat_variables():
    kinds = tf.Variable([1.0]), tf.Variable([1.0], use_resource=True), tf.constant(1.0)
    found = [type(optimizers._get_processor(kind)) for kind in kinds]
    assert found == [
        optimizers._RefVariableProcessor, optimizers._DenseResourceVariableProcessor, optimizers._TensorProcessor
    ]
    with pytest.raises(NotImplementedError, match="Trying to update a Tensor"):
        optimizers._get_processor(kinds[2]).update_op(tf.train.GradientDescentOptimizer(0.1), tf.constant(1.0))
    kept = optimizers.get_filtered_grad_fn(lambda: [(None, kinds[0]), (kinds[2], kinds[1])])
    assert kept() == [(kinds[2], kinds[1])]


def test_strings_are_split_by_one_op():
    from ossia_tensorflow_paths.python.ops import string_ops as splitting

    found, public = splitting.string_split(["a b  c", " "]), tf.string_split(["a"])
    assert [split.values.op.name for split in (found, public)] == ["StringSplit", "StringSplit_1/StringSplit"]
    with tf.Session() as session:
        value = session.run(found)
        kept = session.run(splitting.string_split(["a,;b"], ",;", skip_empty=False))
        older = session.run([splitting.string_split(["a b"], **{name: "b"}).values for name in ("sep", "delimiter")])
    assert value.values.tolist() == [b"a", b"b", b"c"] and value.dense_shape.tolist() == [2, 3]
    assert kept.values.tolist() == [b"a", b"", b"b"]
    assert [pieces.tolist() for pieces in older] == [[b"a "]] * 2
