"""Constants that claim more elements than they list: small until a kernel needs them, and never more than there is."""
import tracemalloc

import numpy as np
import pytest

import ossia as tf
from ossia_core.names import sizes
from ossia_core.proto import GraphDef, TensorProto

FIELDS = {
    tf.float32: ("float_val", [1.0, 2.0, 3.0]),
    tf.float16: ("half_val", [1, 2, 3]),
    tf.int64: ("int64_val", [1, 2, 3]),
    tf.bool: ("bool_val", [True, False, True]),
    tf.string: ("string_val", [b"a", b"b", b"c"]),
    tf.complex64: ("scomplex_val", [1.0, 2.0, 3.0, 4.0]),
}
FOREVER = 2**50  # elements, which no machine has room for


def proto_of(dtype, listed, dims):
    proto = TensorProto(dtype=dtype.as_datatype_enum)
    for size in dims:
        proto.tensor_shape.dim.add(size=size)
    field, values = FIELDS[dtype]
    getattr(proto, field).extend(values[: listed * (2 if dtype is tf.complex64 else 1)])
    return proto


def graph_of(dtype, listed, dims):
    graph = GraphDef()
    node = graph.node.add(name="c", op="Const")
    node.attr["dtype"].type = dtype.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(proto_of(dtype, listed, dims))
    return graph


def imported(graph_def):
    (tensor,) = tf.import_graph_def(graph_def, name="", return_elements=["c:0"])
    return tensor


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


@pytest.mark.parametrize("listed", [0, 1, 2])
@pytest.mark.parametrize("dtype", FIELDS, ids=lambda dtype: dtype.name)
def test_a_graph_holds_what_the_proto_holds(dtype, listed, session):
    proto = graph_of(dtype, listed, [2**31])
    tracemalloc.start()
    try:
        tensor = imported(proto)
        assert tensor.shape.as_list() == [2**31]
        copy = tensor.graph.as_graph_def().node[0]
        assert tensor.op.get_attr("value").ByteSize() < 60 and copy.ByteSize() < 100
        assert tf.get_static_value(tf.shape(tensor, out_type=tf.int64)).tolist() == [2**31]
        assert session.run(tf.size(tensor, out_type=tf.int64)) == 2**31
        known = tf.get_static_value(tensor)
        assert (known is None) == (listed > 1) and (known is None or known.shape == (2**31,))
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "use", [tf.identity, lambda x: x[0], lambda x: tf.concat([x, x], 0)], ids=("whole", "part", "twice")
)
@pytest.mark.parametrize("listed", [0, 1, 2])
@pytest.mark.parametrize("dtype", FIELDS, ids=lambda dtype: dtype.name)
def test_what_cannot_be_had_is_refused_by_the_run(dtype, listed, use, session):
    tensor = imported(graph_of(dtype, listed, [FOREVER]))
    for fetched in (tensor, use(tensor)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot parse tensor from proto"):
            session.run(fetched)


@pytest.mark.parametrize("reduction", [tf.reduce_max, tf.reduce_sum, tf.argmax])
def test_one_element_seen_for_ever_does_not_keep_a_kernel_busy(reduction, session):
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot parse tensor from proto"):
        session.run(reduction(imported(graph_of(tf.float32, 1, [FOREVER]))))


@pytest.mark.parametrize("dtype", FIELDS, ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("listed", [1, 2])
def test_what_the_program_allows_no_memory_for(dtype, listed, session, monkeypatch):
    tensor = imported(graph_of(dtype, listed, [2**22]))
    monkeypatch.setattr(sizes, "max_bytes", 1 << 20)
    with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError)):
        session.run(tensor)


@pytest.mark.parametrize("dtype", FIELDS, ids=lambda dtype: dtype.name)
def test_values_are_those_of_a_reader(dtype, session):
    proto = proto_of(dtype, 2, [2**21 + 1])
    expected = tf.make_ndarray(proto)
    tensor = imported(graph_of(dtype, 2, [2**21 + 1]))
    proto_form = tf.constant(proto)
    for value in session.run([tensor, tf.identity(tensor), proto_form]):
        assert value.dtype == expected.dtype and value.shape == expected.shape
        assert (value[:3] == expected[:3]).all() and value[-1] == expected[-1]
    assert tf.get_static_value(tensor).shape == expected.shape
    assert tensor.graph.as_graph_def().node[0].attr["value"].tensor == proto


def test_the_values_stay_when_the_proto_changes(session):
    proto = graph_of(tf.float32, 2, [2**21])
    tensor = imported(proto)
    proto.node[0].attr["value"].tensor.float_val[1] = 7.0
    assert session.run(tensor)[-1] == 2.0


def test_static_values_do_not_grow():
    with tf.Graph().as_default():
        large = tf.fill([2**30], 1.0)
        known = tf.get_static_value(large)
        assert known.shape == (2**30,) and known.strides == (0,)
        assert tf.get_static_value(tf.range(2**30)) is None
        assert tf.get_static_value(tf.cast(imported(graph_of(tf.float32, 1, [2**31])), tf.int32)) is None
        assert tf.get_static_value(tf.fill([2, 2], 3)).tolist() == [[3, 3], [3, 3]]


def test_a_fetched_view_of_one_element_that_does_not_fit(session, monkeypatch):
    tensor = tf.identity(tf.constant(np.float32(1.0), shape=[2**22]))
    monkeypatch.setattr(sizes, "max_bytes", 1 << 20)
    with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError)):
        session.run(tensor)


def test_constants_of_variants_are_nodes_that_cannot_be_fetched(session):
    graph = GraphDef()
    node = graph.node.add(name="c", op="Const")
    node.attr["dtype"].type = node.attr["value"].tensor.dtype = tf.variant.as_datatype_enum
    tensor = imported(graph)
    assert tensor.dtype is tf.variant and tf.get_static_value(tensor) is None
    with pytest.raises(tf.errors.InternalError, match="not convertible to numpy"):
        session.run(tensor)
