"""Runs golden cases and writes down what happened, under TensorFlow 1.15 (Python 3.7) and under Ossia alike.

Needs only numpy and the public names of the module that it is given as `tf`.
"""
import base64
import hashlib
import importlib.util
import json
import lzma
import os
import re
import sys
import traceback

import numpy as np

from ossia_testkit import golden_case

VALUE_LIMIT = 1 << 16  # bytes of one fetched array
TRACEBACKS = False  # whether error records hold the traceback
INLINE_LIMIT = 16  # elements of a constant that are written out
UUID = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")
TENSOR_FIELDS = {
    "float32": ("float_val", "<f4"), "float64": ("double_val", "<f8"), "int32": ("int_val", "<i4"),
    "uint8": ("int_val", "u1"), "int16": ("int_val", "<i2"), "int8": ("int_val", "i1"), "uint16": ("int_val", "<u2"),
    "qint8": ("int_val", "i1"), "quint8": ("int_val", "u1"), "qint16": ("int_val", "<i2"),
    "quint16": ("int_val", "<u2"), "qint32": ("int_val", "<i4"),
    "int64": ("int64_val", "<i8"), "bool": ("bool_val", "|b1"),
    "float16": ("half_val", "<u2"), "bfloat16": ("half_val", "<u2"), "complex64": ("scomplex_val", "<c8"),
    "complex128": ("dcomplex_val", "<c16"), "uint32": ("uint32_val", "<u4"), "uint64": ("uint64_val", "<u8"),
}


def golden_path(case_file):
    """Where the golden of a case file lies: `math_cases.py` -> `math_golden.json.xz` beside it."""
    folder, name = os.path.split(os.path.abspath(case_file))
    return os.path.join(folder, re.sub(r"(_cases)?\.py$", "", name) + "_golden.json.xz")


def load_golden(path):
    """The records of a golden file by case name; empty if there is no such file."""
    if not os.path.exists(path):
        return {}
    with lzma.open(path) as file:
        return json.loads(file.read().decode())["cases"]


def save_golden(path, cases, version):
    """Write the records `cases` (name -> record) of TensorFlow `version`."""
    text = json.dumps({"tensorflow": version, "cases": cases}, sort_keys=True, separators=(",", ":"))
    with lzma.open(path, "wb", preset=9) as file:
        file.write(text.encode())


def load_cases(case_file):
    """Import a case file by path; its case functions by name (without `case_`), in order, and its graph seed."""
    sys.modules["golden_case"] = golden_case
    path = os.path.abspath(case_file)
    spec = importlib.util.spec_from_file_location("golden_cases_" + re.sub(r"\W", "_", path), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    cases = {name[len("case_"):]: value for name, value in vars(module).items()
             if name.startswith("case_") and callable(value)}
    return cases, getattr(module, "SEED", 1234)


def shape_text(dims):
    """`[2,?]` for a list of sizes (None or -1: unknown), `?` for an unknown rank."""
    return "?" if dims is None else "[%s]" % ",".join("?" if d is None or d < 0 else str(d) for d in dims)


def tensor_text(tf, tensor):
    """`float32[2,3] [1.0 2.0]` for a Tensor: dtype and static shape."""
    return tensor.dtype.name + shape_text(tensor.shape.as_list() if tensor.shape.ndims is not None else None)


def proto_shape(proto):
    """Sizes of a TensorShapeProto, or None for an unknown rank."""
    return None if proto.unknown_rank else [dim.size for dim in proto.dim]


def item_text(item):
    """One element of a constant as text that distinguishes every value."""
    return UUID.sub("<uuid>", json.dumps(item.decode("latin-1"))) if isinstance(item, bytes) else str(item)


def constant_text(tf, proto):
    """A TensorProto as text: dtype, shape and the values, or their hash where there are many."""
    name = tf.as_dtype(proto.dtype).name
    shape = proto_shape(proto.tensor_shape) or []
    count = int(np.prod(shape, dtype=np.int64))
    if name == "string":
        items = list(proto.string_val)
        items += items[-1:] * (count - len(items))
        data = b"\0".join(items)
    elif name in TENSOR_FIELDS:
        field, kind = TENSOR_FIELDS[name]
        if proto.tensor_content:
            array = np.frombuffer(proto.tensor_content, kind)
        else:
            found = np.array(list(getattr(proto, field)))
            if kind[1] == "c":
                found = found[0::2] + 1j * found[1::2]
            array = np.zeros(count, kind)
            array[:] = list(found) + [found[-1]] * (count - len(found)) if len(found) else 0
        if name == "float16":
            array = array.view("<f2")
        data, items = array.tobytes(), list(array)
    else:
        return name + shape_text(shape)
    values = " ".join(map(item_text, items)) if len(items) <= INLINE_LIMIT else hashlib.sha1(data).hexdigest()[:16]
    return "%s%s %s" % (name, shape_text(shape), values)


def attr_text(tf, value):
    """An AttrValue as canonical text."""
    kind = value.WhichOneof("value")
    if kind == "list":
        for field in ("s", "i", "f", "b", "type", "shape", "tensor", "func"):
            if len(getattr(value.list, field)):
                return "[%s]" % ", ".join(field_text(tf, field, item) for item in getattr(value.list, field))
        return "[]"
    return "" if kind is None else field_text(tf, kind, getattr(value, kind))


def field_text(tf, kind, value):
    """One field of an AttrValue as canonical text."""
    if kind == "s":
        return UUID.sub("<uuid>", json.dumps(value.decode("latin-1")))
    if kind == "f":
        return str(np.float32(value))
    if kind == "type":
        return tf.as_dtype(value).name
    if kind == "shape":
        return shape_text(proto_shape(value))
    if kind == "tensor":
        return constant_text(tf, value)
    if kind == "func":
        attrs = ["%s=%s" % (key, attr_text(tf, value.attr[key])) for key in sorted(value.attr)]
        return "%s(%s)" % (value.name, ", ".join(attrs))
    return str(value)


def node_record(tf, node, operation=None):
    """A NodeDef as `[name, op, inputs, device, attrs, outputs]`."""
    attrs = {key: attr_text(tf, node.attr[key]) for key in sorted(node.attr)}
    if "token" in attrs and "PyFunc" in node.op:
        attrs["token"] = "<token>"
    if attrs.get("_gradient_op_type", "").startswith('"CustomGradient-'):
        attrs["_gradient_op_type"] = '"CustomGradient-<number>"'
    outputs = [tensor_text(tf, output) for output in operation.outputs] if operation is not None else []
    return [node.name, node.op, list(node.input), node.device, attrs, outputs]


def graph_record(tf, graph, count=None):
    """The first `count` nodes in order of creation, all if None, and the functions of the library."""
    proto = graph.as_graph_def()
    nodes = proto.node[:count]
    record = {"nodes": [node_record(tf, node, graph.get_operation_by_name(node.name)) for node in nodes]}
    if proto.library.function:
        record["functions"] = {
            function.signature.name: [node_record(tf, node) for node in function.node_def]
            for function in proto.library.function}
    return record


def collections_record(graph):
    """Names of what the collections hold; objects without a name by their class."""
    record = {}
    for key in graph.get_all_collection_keys():
        if isinstance(key, str) and not key.startswith("__"):
            items = [getattr(item, "name", None) or type(item).__name__ for item in graph.get_collection_ref(key)]
            if items:
                record[key] = items
    return record


def flatten(tf, item, path=""):
    """Pairs (path, leaf) of a fetch structure; composite tensors are taken apart."""
    composite = None
    if isinstance(item, tf.SparseTensor) or type(item).__name__ == "SparseTensorValue":
        composite = ("indices", "values", "dense_shape")
    elif isinstance(item, tf.IndexedSlices) or type(item).__name__ == "IndexedSlicesValue":
        composite = ("values", "indices", "dense_shape")
    elif type(item).__name__ == "RaggedTensor":
        composite = ("flat_values", "nested_row_splits")
    if composite:
        item = {name: getattr(item, name) for name in composite if getattr(item, name) is not None}
    if isinstance(item, dict):
        return [leaf for key in item for leaf in flatten(tf, item[key], "%s/%s" % (path, key))]
    if isinstance(item, (list, tuple)) and not isinstance(item, (str, bytes)):
        return [leaf for i, value in enumerate(item) for leaf in flatten(tf, value, "%s/%d" % (path, i))]
    return [(path or "/", item)]


def is_fetch(tf, item):
    """Whether a leaf is something to run, rather than a plain fact."""
    return isinstance(item, (tf.Tensor, tf.Operation, tf.Variable))


def fact_record(tf, item):
    """A plain Python fact as JSON."""
    if isinstance(item, golden_case.Raised):
        record = {"raised": item.classes, "message": message_text(item.message)}
        if item.pattern is not None:
            record["says"] = [item.pattern, item.matches]
        return record
    if isinstance(item, tf.DType):
        return "dtype " + item.name
    if isinstance(item, tf.TensorShape):
        return "shape " + shape_text(item.as_list() if item.ndims is not None else None)
    if isinstance(item, np.ndarray) or isinstance(item, np.generic):
        return {"array": array_record(item)}
    if isinstance(item, bytes):
        return "bytes " + item.decode("latin-1")
    if item is None or isinstance(item, (str, bool, int, float)):
        return item
    if isinstance(item, type):
        return "class " + item.__name__
    return "object " + type(item).__name__


def array_record(value):
    """A fetched value as JSON: dtype, shape, exact bytes in base64 (strings as latin-1 text)."""
    if isinstance(value, (bytes, str)):
        value = np.array(value, object)
    array = np.asarray(value)
    if array.dtype.kind in "OSU":
        items = [item if isinstance(item, bytes) else str(item).encode() for item in array.ravel().tolist()]
        if sum(map(len, items)) > VALUE_LIMIT:
            raise RuntimeError("a golden value of %d strings is too large" % len(items))
        return {"dtype": "string", "shape": list(array.shape), "data": [item.decode("latin-1") for item in items]}
    name = array.dtype.name
    if array.dtype.names:  # the quantised types of the original are records of one field
        name = array.dtype.names[0]
        array = array[name]
    if name == "bfloat16":
        array = array.view(np.uint16)
    if array.nbytes > VALUE_LIMIT:
        raise RuntimeError("a golden value of %d bytes is too large" % array.nbytes)
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"dtype": name, "shape": list(array.shape), "data": data}


def message_text(message):
    """The first line of a message, without addresses and paths."""
    text = re.sub("0x[0-9a-f]{6,}", "0x...", (message.splitlines() or [""])[0][:300])
    return re.sub(r"(?<![\w.])/[\w.\-]+(/[\w.\-]+){2,}", "<path>", text)


def error_record(error, where, run=None):
    """Which exception was raised, while building or in which run."""
    record = {"class": [kind.__name__ for kind in type(error).__mro__], "where": where,
              "message": message_text(str(error))}
    if run is not None:
        record["run"] = run
    if TRACEBACKS:
        record["trace"] = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return record


def record_case(tf, function, seed=1234, session=None):
    """Build and run one case; everything that is compared, as JSON.

    tf: the module, TensorFlow or Ossia. function: the case. seed: graph seed or None.
    session: called with the graph to make the session; `tf.Session(graph=graph)` if None.
    """
    graph = tf.Graph()
    raised = golden_case.Raised.used
    with graph.as_default():
        if seed is not None:
            graph.seed = seed
        try:
            case = function(tf)
        except Exception as error:
            return {"error": error_record(error, "build")}
        if not isinstance(case, golden_case.Case):
            case = golden_case.Case(case)
        schedule = [(flatten(tf, fetches), feeds) for fetches, feeds in case.schedule()]
        record = {"fetches": {}, "facts": {}}
        for index, (leaves, _) in enumerate(schedule):
            for path, leaf in leaves:
                path = path if case.runs is None else "%d:%s" % (index, path)
                if isinstance(leaf, tf.Operation):
                    record["fetches"][path] = leaf.name
                elif is_fetch(tf, leaf):
                    record["fetches"][path] = "%s %s" % (leaf.name, tensor_text(tf, leaf))
                else:
                    record["facts"][path] = fact_record(tf, leaf)
        if case.graph and (case.nodes is not None or golden_case.Raised.used == raised):
            record["graph"] = graph_record(tf, graph, case.nodes)
        if case.collections:
            record["collections"] = collections_record(graph)
        record["options"] = {}
        if not case.values:
            record["options"]["values"] = False
        if case.tolerance is not None:
            record["options"]["tolerance"] = case.tolerance
        if not case.graph_only and any(is_fetch(tf, leaf) for leaves, _ in schedule for _, leaf in leaves):
            run_schedule(tf, graph, case, schedule, record, session)
    return record


def run_schedule(tf, graph, case, schedule, record, session):
    """Run the case in a session of its own; values, or the error, go into `record`."""
    step = -1
    record["runs"] = []
    try:
        init = initializers(tf, graph) if case.init else []
        with (session or tf.Session)(graph=graph) as sess:
            for op in init:
                sess.run(op)
            for leaves, feeds in schedule:
                step += 1
                leaves = [(path, leaf) for path, leaf in leaves if is_fetch(tf, leaf)]
                values = sess.run([leaf for _, leaf in leaves], feeds)
                if case.values:
                    record["runs"].append({path: array_record(value) for (path, _), value in zip(leaves, values)
                                           if value is not None})
    except RuntimeError as error:
        if "golden value" in str(error):
            raise
        record["error"] = error_record(error, "run", step)
    except Exception as error:
        record["error"] = error_record(error, "run", step)


def initializers(tf, graph):
    """The ops that initialise variables and tables, where the graph has some."""
    keys = tf.GraphKeys
    ops = []
    if graph.get_collection(keys.GLOBAL_VARIABLES):
        ops.append(tf.global_variables_initializer())
    if graph.get_collection(keys.LOCAL_VARIABLES):
        ops.append(tf.local_variables_initializer())
    if graph.get_collection(keys.TABLE_INITIALIZERS):
        ops.append(tf.tables_initializer())
    return ops
