"""GraphDefs that come from elsewhere: what fits is built, everything else is refused and leaves the graph as it was."""
import tracemalloc

import numpy as np
import pytest

import ossia as tf
from ossia_core.proto import GraphDef, VersionDef


def small():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        tf.identity(tf.matmul(x, tf.constant([[1.0, 2.0], [3.0, 4.0]], name="w"), name="net/y"), name="out")
        return graph.as_graph_def()


def node(proto, name):
    return next(n for n in proto.node if n.name == name)


def edited(edit):
    proto = small()
    edit(proto)
    return proto


HOSTILE = {
    "unknown op": (lambda p: setattr(node(p, "out"), "op", "NoSuchOp"), tf.errors.NotFoundError),
    "no op": (lambda p: setattr(node(p, "out"), "op", ""), ValueError),
    "missing attribute": (lambda p: node(p, "net/y").attr.pop("T"), ValueError),
    "unknown attribute": (lambda p: node(p, "x").attr["nonsense"].__setattr__("i", 3), ValueError),
    "attribute of another kind": (lambda p: node(p, "net/y").attr["transpose_a"].__setattr__("i", 1), ValueError),
    "attribute not allowed": (lambda p: node(p, "net/y").attr["T"].__setattr__("type", 7), ValueError),
    "unknown dtype": (lambda p: node(p, "x").attr["dtype"].__setattr__("type", 77), ValueError),
    "no value": (lambda p: node(p, "w").attr.pop("value"), ValueError),
    "dangling input": (lambda p: node(p, "out").input.__setitem__(0, "nowhere"), ValueError),
    "a group that is a number": (lambda p: node(p, "w").attr["_class"].list.i.append(1), TypeError),
    "a group that is a type": (lambda p: node(p, "w").attr["_class"].list.type.append(1), TypeError),
    "groups that are a name": (lambda p: node(p, "w").attr["_class"].__setattr__("s", b"loc:@x"), TypeError),
    "groups that are a number": (lambda p: node(p, "w").attr["_class"].__setattr__("i", 3), TypeError),
    "a group whose name is no text": (lambda p: node(p, "w").attr["_class"].list.s.append(b"loc:@\xff"), ValueError),
    "no such output": (lambda p: node(p, "out").input.__setitem__(0, "net/y:3"), ValueError),
    "negative output": (lambda p: node(p, "out").input.__setitem__(0, "net/y:-1"), ValueError),
    "dangling control input": (lambda p: node(p, "out").input.append("^nowhere"), ValueError),
    "input after a control input": (lambda p: node(p, "net/y").input.insert(0, "^x"), ValueError),
    "too few inputs": (lambda p: node(p, "net/y").input.pop(), ValueError),
    "too many inputs": (lambda p: node(p, "net/y").input.append("x"), ValueError),
    "self-loop": (lambda p: node(p, "out").input.__setitem__(0, "out"), ValueError),
    "control self-loop": (lambda p: node(p, "out").input.append("^out"), ValueError),
    "cycle": (lambda p: node(p, "x").input.append("^out"), ValueError),
    "duplicate": (lambda p: setattr(node(p, "out"), "name", "x"), ValueError),
    "bad name": (lambda p: setattr(node(p, "out"), "name", "a b"), ValueError),
    "empty name": (lambda p: setattr(node(p, "out"), "name", ""), ValueError),
    "bad device": (lambda p: setattr(node(p, "x"), "device", "/bad"), ValueError),
    "bad colocation": (lambda p: node(p, "x").attr["_class"].list.s.append(b"loc:@nowhere"), ValueError),
    "incompatible shapes": (lambda p: node(p, "x").attr["shape"].shape.dim[1].__setattr__("size", 5), ValueError),
    "negative size": (lambda p: node(p, "x").attr["shape"].shape.dim[1].__setattr__("size", -7), ValueError),
    "huge constant": (
        lambda p: node(p, "w").attr["value"].tensor.tensor_shape.dim[0].__setattr__("size", 2**62),
        ValueError,
    ),
    "too many values": (
        lambda p: node(p, "w").attr["value"].tensor.tensor_shape.dim[0].__setattr__("size", 0),
        ValueError,
    ),
    "newer": (lambda p: setattr(p.versions, "min_consumer", 10**6), ValueError),
    "disallowed": (lambda p: p.versions.bad_consumers.append(134), ValueError),
    "a loop without an entrance": (
        lambda p: p.node.add(name="n", op="NextIteration", input=["n"]).attr["T"].__setattr__("type", 1),
        ValueError,
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile(case):
    edit, error = HOSTILE[case]
    with tf.Graph().as_default() as graph:
        keep = tf.constant(1.0, name="keep")
        with pytest.raises((error, tf.errors.InvalidArgumentError)):
            tf.import_graph_def(edited(edit), name="m")
        assert graph.get_operations() == [keep.op] and keep.consumers() == []
        tf.import_graph_def(small(), name="good")


@pytest.mark.parametrize(
    "arguments, error",
    [
        (dict(graph_def=3), TypeError),
        (dict(graph_def=None), TypeError),
        (dict(input_map=3), TypeError),
        (dict(input_map={"nowhere:0": 1.0}), ValueError),
        (dict(input_map={"x:0": 1}), (TypeError, ValueError)),
        (dict(return_elements=[3]), TypeError),
        (dict(return_elements=["nowhere"]), ValueError),
        (dict(return_elements=["out:5"]), ValueError),
        (dict(return_elements=["a:b"]), ValueError),
        (dict(name="a b"), ValueError),
        (dict(name="_a"), ValueError),
        (dict(name="_a/"), ValueError),
    ],
)
def test_bad_arguments(arguments, error):
    with tf.Graph().as_default() as graph:
        with pytest.raises(error):
            tf.import_graph_def(**{"graph_def": small(), **arguments})
        assert not [op for op in graph.get_operations() if op.type not in ("Const",)]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(input_map={"nowhere": 1.0}), r"map inputs that were not found in graph_def: \[nowhere:0\]"),
        (dict(input_map={"x:y:0": 1.0}), "Cannot convert 'x:y:0' to a tensor name"),
        (dict(return_elements=["nowhere"]), "Requested return node 'nowhere' not found in graph def"),
        (dict(return_elements=["nowhere:0"]), "Requested return tensor 'nowhere:0' not found in graph def"),
        (dict(return_elements=["out:5"]), r"Invalid return output 5 of node 'out', which has 1 output\(s\)"),
    ],
)
def test_what_errors_say(arguments, message):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=message):
        tf.import_graph_def(small(), **arguments)


def test_round_trip():
    with tf.Graph().as_default(), tf.Session() as session:
        out, = tf.import_graph_def(small(), return_elements=["out:0"], name="")
        assert session.run(out, {"x:0": [[1.0, 1.0]]}).tolist() == [[4.0, 6.0]]
        assert tf.get_default_graph().as_graph_def() == small()


def test_bytes_of_another_library():
    parsed = GraphDef.FromString(small().SerializeToString())
    with tf.Graph().as_default():
        tf.import_graph_def(parsed)
        assert [op.name for op in tf.get_default_graph().get_operations()][0] == "import/x"


def test_inputs_of_another_graph():
    with tf.Graph().as_default():
        other = tf.placeholder(tf.float32, [None, 2], name="other")
    with tf.Graph().as_default() as graph:
        with pytest.raises(ValueError, match=r"node 'other' in input_map does not exist .*: x:0->other:0\)"):
            tf.import_graph_def(small(), {"x": other})
        assert graph.get_operations() == []
        namesake = tf.zeros([1, 2], name="other")
        y, = tf.import_graph_def(small(), {"x": other}, ["net/y"])
        assert y.inputs[0] is namesake
    with tf.Graph().as_default() as graph, tf.name_scope("outer"):
        tf.import_graph_def(small(), name="_a")
        assert graph.get_operations()[0].name == "outer/_a/x"


def test_inputs_replaced():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([[2.0, 0.0]])
        out, y = tf.import_graph_def(small(), {"x": x}, ["out:0", "net/y"])
        assert session.run(out).tolist() == [[2.0, 4.0]] and y.name == "import/net/y"


def test_cycles_are_refused_by_sessions():
    with tf.Graph().as_default(), tf.Session() as session:
        a = tf.identity(tf.constant(1.0))
        b = tf.negative(a)
        a.op._update_input(0, b)
        with pytest.raises(tf.errors.InvalidArgumentError, match="cycle"):
            session.run(b)
        c = tf.no_op()
        c._add_control_input(c)
        with pytest.raises(tf.errors.InvalidArgumentError, match="cycle"):
            session.run(c)


@pytest.mark.parametrize("size", [20_000])
def test_large_graphs(size):
    proto = GraphDef()
    kept = proto.node.add(name="n0", op="Const")
    kept.attr["dtype"].type = 1
    kept.attr["value"].tensor.dtype = 1
    kept.attr["value"].tensor.float_val.append(2.0)
    kept.attr["value"].tensor.tensor_shape.SetInParent()
    for i in range(1, size):
        made = proto.node.add(name=f"n{i}", op="Neg", input=[f"n{i - 1}"])
        made.attr["T"].type = 1
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(proto, name="")
        assert session.run(f"n{size - 1}:0") == (2.0 if size % 2 else -2.0)
    del proto.node[:]
    for i in reversed(range(size)):
        proto.node.add(name=f"n{i}", op="NoOp", input=[f"^n{i - 1}"] if i else [])
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(proto, name="")
        session.run(f"n{size - 1}")


def test_any_bytes_are_refused_or_built():
    good = small().SerializeToString()
    rng = np.random.default_rng(0)
    for _ in range(300):
        data = bytearray(good)
        for _ in range(rng.integers(1, 4)):
            data[rng.integers(len(data))] = rng.integers(256)
        try:
            proto = GraphDef.FromString(bytes(data))
        except Exception:
            continue
        with tf.Graph().as_default():
            try:
                tf.import_graph_def(proto)
            except (ValueError, TypeError, tf.errors.OpError):
                pass


@pytest.mark.parametrize(
    "imported, expected",
    [
        ([()], (0, 0, [])),
        ([(5, 3)], (5, 3, [])),
        ([(200,)], (134, 0, [])),
        ([(5, 3), (30, 12)], (5, 12, [])),
        ([(30, 2, [150, 140]), (20, 2, [7, 140])], (20, 2, [7, 140, 150])),
    ],
)
def test_a_graph_is_of_the_oldest_version_that_it_holds(imported, expected):
    with tf.Graph().as_default() as graph:
        for versions in imported:
            fields = dict(zip(("producer", "min_consumer", "bad_consumers"), versions, strict=False))
            proto = GraphDef(versions=VersionDef(**fields))
            proto.node.add(name="x", op="NoOp")
            tf.import_graph_def(proto)
    for found in (graph.graph_def_versions, graph.as_graph_def().versions):
        assert (found.producer, found.min_consumer, list(found.bad_consumers)) == expected


def test_a_graph_of_a_negative_version_is_refused():
    with pytest.raises(ValueError, match="version -1 below"):
        tf.import_graph_def(GraphDef(versions=VersionDef(producer=-1)))


def test_control_inputs_stand_before_those_of_the_scope():
    with tf.Graph().as_default():
        for name in "ZA":
            tf.no_op(name=name)
        with tf.control_dependencies([tf.get_default_graph().get_operation_by_name(name) for name in "ZA"]):
            tf.no_op(name="B")
        proto = tf.get_default_graph().as_graph_def()
        assert list(node(proto, "B").input) == ["^A", "^Z"]
    with tf.Graph().as_default() as graph:
        with tf.control_dependencies([tf.no_op(name="n"), tf.no_op(name="a")]):
            (imported,) = tf.import_graph_def(proto, return_elements=["B"])
        assert [op.name for op in imported.control_inputs] == ["import/A", "import/Z", "n", "a"]
        assert list(imported.node_def.input) == ["^import/A", "^import/Z", "^n", "^a"]
        assert list(node(graph.as_graph_def(), "import/B").input) == ["^a", "^import/A", "^import/Z", "^n"]


def test_nodes_of_an_import_take_little_memory():
    proto = GraphDef()
    for i in range(5000):
        node = proto.node.add(name=f"n{i}", op="NoOp")
        if i:
            node.input.append(f"^n{i - 1}")
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(GraphDef(node=proto.node[:5]), name="first")
        tracemalloc.start()
        try:
            tf.import_graph_def(proto, name="")
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert len(graph.get_operations()) == 5005
    assert peak < 1000 * 5000  # bytes
    first, last = graph.get_operations()[5], graph.get_operations()[-1]
    assert first.frames is last.frames and first.traceback[-1][0] == __file__


def test_a_refused_import_of_many_nodes_takes_back_what_hubs_know_of_them():
    with tf.Graph().as_default():
        hub = tf.constant(1.0, name="hub")
        mine = tf.identity(hub)
        proto = GraphDef()
        for i in range(100):
            node = proto.node.add(name=f"n{i}", op="Identity", input=["hub:0"])
            node.attr["T"].type = 1
        node.attr["T"].type = 3
        with pytest.raises(ValueError):
            tf.import_graph_def(proto, input_map={"hub:0": hub}, name="")
        assert hub.consumers() == [mine.op]
