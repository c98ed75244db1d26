"""Graphs with functions: those of TensorFlow 1.15 run, export unchanged, are differentiated; bad ones are refused."""
import base64
import json
import lzma
from pathlib import Path

import numpy as np
import pytest
from google.protobuf import text_format

import ossia as tf
from ossia_core.proto import GraphDef

with lzma.open(Path(__file__).parent / "golden" / "function_graphs.json.xz") as source:
    GRAPHS = json.load(source)


def unpacked(item):
    data = np.frombuffer(base64.b64decode(item["data"]), item["dtype"])
    return data.reshape(item["shape"])


def run(session, entry, fetches):
    if entry["start"]:
        session.run("start")
    return session.run(fetches, {name: unpacked(value) for name, value in entry["feeds"].items()})


def imported(data):
    proto = GraphDef.FromString(base64.b64decode(data))
    tf.import_graph_def(proto, name="")
    return proto


def nodes(proto):
    """Nodes by name; their attributes with defaults that only one side writes left out."""
    return {n.name: (n.op, list(n.input), {k: v for k, v in n.attr.items() if v.ByteSize()}) for n in proto.node}


@pytest.mark.parametrize("name", GRAPHS)
def test_runs_as_in_the_original(name):
    entry = GRAPHS[name]
    with tf.Graph().as_default(), tf.Session() as session:
        imported(entry["graph"])
        for got, expected in zip(run(session, entry, entry["fetches"]), entry["values"], strict=True):
            np.testing.assert_allclose(got, unpacked(expected), 1e-5, 1e-6)


@pytest.mark.parametrize("name", [name for name in GRAPHS if GRAPHS[name]["gradient"]])
def test_gradient_graph_of_the_original_runs(name):
    entry = GRAPHS[name]
    tensor, expected = entry["gradient"]
    with tf.Graph().as_default(), tf.Session() as session:
        imported(entry["with_gradient"])
        np.testing.assert_allclose(run(session, entry, tensor), unpacked(expected), 1e-4, 1e-5)


@pytest.mark.parametrize("name", [name for name in GRAPHS if GRAPHS[name]["gradient"]])
def test_imported_graphs_are_differentiated(name):
    entry = GRAPHS[name]
    expected = unpacked(entry["gradient"][1])
    with tf.Graph().as_default() as graph, tf.Session() as session:
        imported(entry["graph"])
        y, x = graph.get_tensor_by_name(entry["fetches"][0]), graph.get_tensor_by_name("x:0")
        (once,), (again,) = tf.gradients(y, x), tf.gradients(y, x)
        for slope in (once, again):
            np.testing.assert_allclose(run(session, entry, slope), expected, 1e-4, 1e-5)
        value = run(session, entry, y)
        np.testing.assert_allclose(value, unpacked(entry["values"][0]), 1e-5, 1e-6)
        exported = graph.as_graph_def()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(exported, name="")
        np.testing.assert_allclose(run(session, entry, once.name), expected, 1e-4, 1e-5)


@pytest.mark.parametrize("name", GRAPHS)
def test_export_is_unchanged(name):
    with tf.Graph().as_default() as graph:
        proto = imported(GRAPHS[name]["with_gradient"])
        exported = graph.as_graph_def()
    assert exported.library == proto.library
    found, wanted = nodes(exported), nodes(proto)
    assert found.keys() == wanted.keys()
    for key, (op, inputs, attrs) in wanted.items():
        assert found[key][:2] == (op, inputs)
        assert attrs.items() <= found[key][2].items(), key


@pytest.mark.parametrize("backend", ["numpy"])
def test_reference_backend(monkeypatch, backend):
    monkeypatch.setenv("OSSIA_BACKEND", backend)
    for name in ("loop_nested", "mapped", "cond_nested"):
        entry = GRAPHS[name]
        with tf.Graph().as_default(), tf.Session() as session:
            imported(entry["with_gradient"])
            np.testing.assert_allclose(
                run(session, entry, entry["gradient"][0]), unpacked(entry["gradient"][1]), 1e-4, 1e-5
            )


# -- hand-made graphs -----------------------------------------------------------------------------------------

T = 'attr{key:"T" value{type:DT_FLOAT}}'
CONST = (
    'node{name:"c" op:"Const" attr{key:"dtype" value{type:DT_FLOAT}} attr{key:"value" value{tensor{dtype:DT_FLOAT '
    "tensor_shape{} float_val:3}}}} "
)


def call(function, name="p", inputs=("c",), types="type:DT_FLOAT", outs="type:DT_FLOAT"):
    feeds = " ".join(f'input:"{i}"' for i in inputs)
    tin = " ".join([types] * len(inputs))
    return (
        f'node{{name:"{name}" op:"PartitionedCall" {feeds} attr{{key:"Tin" value{{list{{{tin}}}}}}} attr{{key:"Tout" '
        f'value{{list{{{outs}}}}}}} attr{{key:"f" value{{func{{name:"{function}"}}}}}}}} '
    )


def one_node(name, op, attrs=T, out="y", dtype="DT_FLOAT"):
    """A function of one argument and one node."""
    return (
        f'function{{signature{{name:"{name}" input_arg{{name:"a" type:{dtype}}} output_arg{{name:"y" type:{dtype}}}}} '
        f'node_def{{name:"s" op:"{op}" input:"a" {attrs}}} ret{{key:"y" value:"s:{out}:0"}}}} '
    )


def evaluate(text, library, fetch="p:0"):
    proto = text_format.Parse(text + (f"library{{{library}}}" if library else ""), GraphDef())
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(proto, name="")
        return session.run(fetch)


def test_call():
    assert evaluate(CONST + call("f"), one_node("f", "Square")) == 9
    assert evaluate(CONST + 'node{name:"p" op:"f" input:"c"}', one_node("f", "Square")) == 9


def test_attributes_of_a_call():
    library = (
        'function{signature{name:"f" input_arg{name:"a" type_attr:"T"} output_arg{name:"y" type_attr:"T"} '
        'attr{name:"T" type:"type"}} node_def{name:"s" op:"Square" input:"a" attr{key:"T" value{placeholder:"T"}}} '
        'ret{key:"y" value:"s:y:0"}}'
    )
    assert evaluate(CONST + f'node{{name:"p" op:"f" input:"c" {T}}}', library) == 9
    named = call("f").replace('name:"f"', f'name:"f" {T}')
    assert evaluate(CONST + named, library) == 9
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match="Attr T is not found"):
        evaluate(CONST + call("f"), library)


def test_list_arguments():
    library = (
        'function{signature{name:"f" input_arg{name:"a" type:DT_FLOAT number_attr:"N"} output_arg{name:"y" '
        'type:DT_FLOAT} attr{name:"N" type:"int"}} node_def{name:"s" op:"Sub" input:"a:0" input:"a:1" '
        + T + '} ret{key:"y" value:"s:z:0"}}'
    )
    text = CONST + f'node{{name:"d" op:"Square" input:"c" {T}}} '
    assert evaluate(text + 'node{name:"p" op:"f" input:"d" input:"c" attr{key:"N" value{i:2}}}', library) == 6
    with pytest.raises(ValueError):
        evaluate(text + 'node{name:"p" op:"f" input:"d" attr{key:"N" value{i:1}}}', library)
    with pytest.raises(ValueError):
        evaluate(text + 'node{name:"p" op:"f" input:"d" attr{key:"N" value{i:-1}}}', library)
    with pytest.raises(ValueError):
        evaluate(text + 'node{name:"p" op:"f" input:"d" attr{key:"N" value{i:9999999999}}}', library)


def test_missing_function():
    with pytest.raises(tf.errors.InvalidArgumentError, match='Failed to find function "g"') as caught:
        evaluate(CONST + call("g"), one_node("f", "Square"))
    assert "p" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "library"),
    [
        (call("f", inputs=("c", "c")), one_node("f", "Square")),
        (call("f", outs="type:DT_FLOAT type:DT_FLOAT"), one_node("f", "Square")),
        (call("f"), one_node("f", "Square", T.replace("FLOAT", "INT32"), dtype="DT_INT32")),
    ],
)
def test_calls_that_do_not_fit(text, library):
    with pytest.raises(tf.errors.InvalidArgumentError):
        evaluate(CONST + text, library)


@pytest.mark.parametrize(
    "library",
    [
        one_node("f", "Square", out="nothing"),
        one_node("f", "Square").replace('input:"a"', 'input:"zzz"'),
        one_node("f", "Square").replace('input:"a"', 'input:"s:y:0"'),
        one_node("f", "Square").replace('input:"a"', 'input:"a:7"'),
        one_node("f", "Square", ""),
        one_node("f", "Square").replace('name:"s" op', 'name:"a" op'),
        one_node("f", "Square").replace('key:"y" value', 'key:"z" value'),
        one_node("f", "Square").replace("output_arg", 'input_arg{name:"a" type:DT_FLOAT} output_arg'),
        one_node("f", "Square").replace('ret{key:"y"', 'control_ret{key:"q" value:"q"} ret{key:"y"'),
        one_node("f", "Square").replace('output_arg{name:"y" type:DT_FLOAT}', 'output_arg{name:"y" type:DT_INT32}'),
    ],
)
def test_malformed_bodies(library):
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        evaluate(CONST + call("f"), library)


def test_unknown_op_in_a_body():
    with pytest.raises(tf.errors.NotFoundError, match="Nope"):
        evaluate(CONST + call("f"), one_node("f", "Nope"))


def test_library_conflicts():
    with pytest.raises(ValueError, match="different function"):
        evaluate(CONST + call("f"), one_node("f", "Square") + one_node("f", "Neg"))
    with pytest.raises(ValueError, match="op with the same name"):
        evaluate(CONST, one_node("Square", "Neg"), "c:0")
    assert evaluate(CONST + call("f"), one_node("f", "Neg") * 2) == -3


def test_cyclic_gradients():
    cycle = 'gradient{function_name:"f" gradient_func:"g"} gradient{function_name:"g" gradient_func:"f"}'
    with pytest.raises(ValueError, match="cyclic-dependency"):
        evaluate(CONST, one_node("f", "Neg") + one_node("g", "Neg") + cycle, "c:0")


def test_failed_import_leaves_no_function():
    with tf.Graph().as_default() as graph:
        proto = text_format.Parse(
            'node{name:"x" op:"f" input:"nowhere"} library{' + one_node("f", "Neg") + "}", GraphDef()
        )
        with pytest.raises(ValueError):
            tf.import_graph_def(proto)
        assert not graph.as_graph_def().library.function and not graph.get_operations()


def test_recursion():
    with pytest.raises(tf.errors.InvalidArgumentError, match="calls itself"):
        evaluate(CONST + call("f"), one_node("f", "f", ""))
    with pytest.raises(tf.errors.InvalidArgumentError, match="calls itself"):
        evaluate(CONST + call("f"), one_node("f", "g", "") + one_node("g", "f", ""))


def test_recursive_loop():
    loop = (
        'node{name:"p" op:"While" input:"c" attr{key:"T" value{list{type:DT_FLOAT}}} attr{key:"cond" '
        'value{func{name:"f"}}} attr{key:"body" value{func{name:"f"}}}} '
    )
    inner = (
        'function{signature{name:"f" input_arg{name:"a" type:DT_FLOAT} output_arg{name:"y" type:DT_FLOAT}} '
        'node_def{name:"s" op:"While" input:"a" attr{key:"T" value{list{type:DT_FLOAT}}} attr{key:"cond" '
        'value{func{name:"f"}}} attr{key:"body" value{func{name:"f"}}}} ret{key:"y" value:"s:output:0"}}'
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="calls itself"):
        evaluate(CONST + loop, inner)


def test_deep_nesting():
    chain = "".join(one_node(f"f{i}", f"f{i + 1}", "") for i in range(300)) + one_node("f300", "Square")
    assert evaluate(CONST + call("f0"), chain) == 9
    chain = "".join(one_node(f"f{i}", f"f{i + 1}", "") for i in range(3000)) + one_node("f3000", "Square")
    with pytest.raises(tf.errors.InvalidArgumentError, match="calls deep"):
        evaluate(CONST + call("f0"), chain)


def test_exponential_nesting(monkeypatch):
    from ossia_functions import expansion
    monkeypatch.setattr(expansion, "_MAX_NODES", 10_000)

    def twice(name, inner):
        return (
            f'function{{signature{{name:"{name}" input_arg{{name:"a" type:DT_FLOAT}} output_arg{{name:"y" '
            f'type:DT_FLOAT}}}} node_def{{name:"s" op:"{inner}" input:"a"}} node_def{{name:"t" op:"{inner}" '
            'input:"s:y:0"} ret{key:"y" value:"t:y:0"}} '
        )
    library = "".join(twice(f"f{i}", f"f{i + 1}") for i in range(40)) + one_node("f40", "Neg")
    with pytest.raises(tf.errors.ResourceExhaustedError, match="more than"):
        evaluate(CONST + call("f0"), library)


def test_condition_need_not_be_boolean():
    choice = (
        'node{name:"p" op:"If" input:"c" input:"c" attr{key:"Tcond" value{type:DT_FLOAT}} attr{key:"Tin" '
        'value{list{type:DT_FLOAT}}} attr{key:"Tout" value{list{type:DT_FLOAT}}} attr{key:"then_branch" '
        'value{func{name:"f"}}} attr{key:"else_branch" value{func{name:"g"}}}} '
    )
    library = one_node("f", "Square") + one_node("g", "Exp")
    assert evaluate(CONST + choice, library) == 9
    assert evaluate(CONST.replace("float_val:3", "float_val:0") + choice, library) == 1


def test_errors_name_the_inner_node():
    library = one_node("f", "CheckNumerics", T + ' attr{key:"message" value{s:"bad"}}', "output") + one_node("g", "Log")
    text = CONST.replace("float_val:3", "float_val:0") + call("g", "l") + call("f", inputs=("l",))
    with pytest.raises(tf.errors.InvalidArgumentError, match="p/s"):
        evaluate(text, library)


def test_partial_run_through_a_call():
    proto = text_format.Parse(
        'node{name:"c" op:"Placeholder" attr{key:"dtype" value{type:DT_FLOAT}}} ' + call("f")
        + "library{" + one_node("f", "Square") + "}", GraphDef())
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(proto, name="")
        handle = session.partial_run_setup(["p:0"], ["c:0"])
        assert session.partial_run(handle, "p:0", {"c:0": 4.0}) == 16


def test_feeding_what_a_call_returns():
    proto = text_format.Parse(
        CONST + call("f") + f'node{{name:"q" op:"Neg" input:"p" {T}}} library{{{one_node("f", "Square")}}}', GraphDef()
    )
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(proto, name="")
        assert session.run("q:0", {"p:0": 5.0}) == -5
        assert session.run("q:0", {"c:0": 2.0}) == -4


# -- arrays and stacks of old graphs ----------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["", "V2"])
def test_old_tensor_arrays(version):
    def node(name, op, inputs, attrs=""):
        return f'node{{name:"{name}" op:"{op}" {" ".join(f"""input:"{i}" """ for i in inputs)} {attrs}}} '

    def const(name, dtype, values, dims):
        field = {"DT_FLOAT": "float_val", "DT_INT32": "int_val"}[dtype]
        shape = "".join(f"dim{{size:{d}}}" for d in dims)
        items = " ".join(f"{field}:{v}" for v in values)
        return (
            f'node{{name:"{name}" op:"Const" attr{{key:"dtype" value{{type:{dtype}}}}} attr{{key:"value" '
            f"value{{tensor{{dtype:{dtype} tensor_shape{{{shape}}} {items}}}}}}}}} "
        )
    dtype = 'attr{key:"dtype" value{type:DT_FLOAT}}'
    text = (
        const("n", "DT_INT32", [2], []) + const("zero", "DT_INT32", [0], []) + const("one", "DT_INT32", [1], [])
        + const("flow", "DT_FLOAT", [0], []) + const("v", "DT_FLOAT", [1, 2], [2]) + const("w", "DT_FLOAT", [3, 4], [2])
        + const("all", "DT_INT32", [0, 1], [2])
        + node("a", f"TensorArray{version}", ["n"], dtype + 'attr{key:"clear_after_read" value{b:false}}')
        + node("w0", f"TensorArrayWrite{version}", ["a", "zero", "v", "flow"], T)
        + node("w1", f"TensorArrayWrite{version}", ["a", "one", "w", "w0"], T)
        + node("r", f"TensorArrayRead{version}", ["a", "one", "w1"], dtype)
        + node("g", f"TensorArrayGather{version}", ["a", "all", "w1"], dtype)
        + node("s", f"TensorArraySize{version}", ["a", "w1"])
        + node("k", f"TensorArrayConcat{version}", ["a", "w1"], dtype)
        + node("d", f"TensorArrayGrad{version}", ["a", "w1"], 'attr{key:"source" value{s:"gradients"}}')
        + node("dw", f"TensorArrayWrite{version}", ["d", "one", "w", "w1"], T)
        + node("dr", f"TensorArrayRead{version}", ["d", "one", "dw"], dtype)
        + node("close", f"TensorArrayClose{version}", ["a", "^r", "^g", "^k", "^dr", "^s"])
    )
    fetches = ["r:0", "g:0", "s:0", "k:0", "k:1", "dr:0"]
    if not version:
        text += node("pack", "TensorArrayPack", ["a", "w1"], dtype)
        fetches.append("pack:0")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(text_format.Parse(text, GraphDef()), name="")
        found = session.run(fetches)
        session.run("close")
    expected = [[3, 4], [[1, 2], [3, 4]], 2, [1, 2, 3, 4], [2, 2], [3, 4], [[1, 2], [3, 4]]]
    for got, want in zip(found, expected, strict=False):
        np.testing.assert_array_equal(got, want)
