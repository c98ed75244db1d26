"""Compares what Ossia did in a golden case with what TensorFlow 1.15 did, and words the differences for a reader."""
from __future__ import annotations

import base64
import builtins
import difflib
import json
import re

import numpy as np

ASPECTS = ("graph", "shapes", "facts", "values", "collections")
TOLERANCES = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-5, "float64": 1e-10, "complex64": 2e-5,
              "complex128": 1e-10}
PUBLIC_ERRORS = {"OpError", "CancelledError", "UnknownError", "InvalidArgumentError", "DeadlineExceededError",
                 "NotFoundError", "AlreadyExistsError", "PermissionDeniedError", "UnauthenticatedError",
                 "ResourceExhaustedError", "FailedPreconditionError", "AbortedError", "OutOfRangeError",
                 "UnimplementedError", "InternalError", "UnavailableError", "DataLossError"}
CONTEXT = 4  # nodes shown before and after the first difference
NODE_FIELDS = ("name", "op", "inputs", "device", "attrs", "outputs")


def differences(expected: dict, got: dict, what=ASPECTS) -> list[str]:
    """What differs between two records of a case, one readable text each; empty when they agree.

    expected: the record of TensorFlow. got: the record of Ossia. what: which of ASPECTS count.
    """
    found = error_difference(expected.get("error"), got.get("error"))
    crashed = "fetches" not in expected
    if found or crashed or "graph" not in got and "fetches" not in got:
        return found
    if "graph" in expected and "graph" in got and ("graph" in what or "shapes" in what):
        found += graph_differences(expected["graph"], got["graph"], "graph" in what, "shapes" in what)
    if "shapes" in what:
        named = "graph" in what and "graph" in expected and "graph" in got
        sides = (expected["fetches"], got["fetches"])
        found += mapping_differences("fetch", *(sides if named else map(strip_names, sides)))
    if "facts" in what:
        found += fact_differences(expected["facts"], got["facts"])
    if "collections" in what and "collections" in expected:
        found += mapping_differences("collection", expected["collections"], got["collections"])
    if "values" in what and expected.get("options", {}).get("values", True):
        tolerance = expected.get("options", {}).get("tolerance")
        for index, (left, right) in enumerate(zip(expected.get("runs", []), got.get("runs", []))):
            found += [f"run {index}: {text}" for text in value_differences(left, right, tolerance)]
    return found


def strip_names(fetches: dict) -> dict:
    """The dtypes and static shapes of fetches, without the names of the tensors."""
    return {path: text.split(" ", 1)[-1] if " " in text else "operation" for path, text in fetches.items()}


def expected_class(classes: list[str]) -> str:
    """The class that a program can catch: the first of an exception's classes that has a public name."""
    return next((name for name in classes if name in PUBLIC_ERRORS or hasattr(builtins, name)), classes[0])


def error_difference(expected: dict | None, got: dict | None) -> list[str]:
    """Whether both failed in the same way: at the same point, ours with the class of the original or one under it."""
    if expected is None:
        return [f"unexpected {error_text(got)}"] if got is not None else []
    if got is None:
        return [f"no error, expected {error_text(expected)}"]
    if expected["class"] == ["crash"]:
        orderly = {"OpError", "ValueError", "TypeError"} & set(got["class"])
        return [] if orderly else [f"got {error_text(got)} where the original crashed, expected an orderly error"]
    same = all(expected.get(key) == got.get(key) for key in ("where", "run"))
    same = same and expected_class(expected["class"]) in got["class"]
    return [] if same else [f"got {error_text(got)}\n  expected {error_text(expected)}"]


def error_text(error: dict) -> str:
    """An error record as one line."""
    at = f"run {error['run']}" if error.get("run", -1) > 0 else error["where"]
    return f"{error['class'][0]} at {at}: {error['message']}"


def node_text(node: list) -> str:
    """A node record as one line."""
    name, op, inputs, device, attrs, outputs = node
    parts = [f"{name} = {op}({', '.join(inputs)})", " ".join(f"{key}={value}" for key, value in attrs.items())]
    parts += [f"-> {' '.join(outputs)}" if outputs else "", f"@{device}" if device else ""]
    return "  ".join(part for part in parts if part)


def with_plain_numbers(node: list) -> list:
    """The node with the numbers of a float constant written as Python writes them, whatever numpy wrote them."""
    text = node[4].get("value", "")
    if not text.startswith("float") or "e+" not in text:
        return node

    def plain(token: str) -> str:
        try:
            return repr(float(token))
        except ValueError:
            return token
    return [*node[:4], {**node[4], "value": " ".join(map(plain, text.split(" ")))}, *node[5:]]


_NUMBERS = re.compile(r"_(\d+)")
_DIGEST = re.compile(r"_(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{11}(?=_Wrapper$|$)")
_CALL_NUMBER = re.compile(r"PartitionedCall-\d+")


def with_plain_digests(record: dict) -> dict:
    """A graph record in which the digests in names of functions are numbered in the order of their use."""
    found = {match[0] for match in map(_DIGEST.search, record.get("functions", ())) if match}
    if not found:
        return record
    text, uses = json.dumps(record), json.dumps(record["nodes"])
    for number, digest in enumerate(sorted(found, key=lambda digest: (digest not in uses, uses.find(digest)))):
        text = text.replace(digest, f"_digest.{number}")
    return json.loads(text)


def with_plain_functions(record: dict) -> dict:
    """A graph record in which the functions are numbered by their own order.

    Their names end in numbers that the process counts up, whatever graph they belong to.
    """
    functions = record.get("functions")
    if not functions:
        return record
    numbers = {name: [int(n) for n in _NUMBERS.findall(name)] for name in functions}
    plain: dict[str, str] = {}
    seen: dict[str, int] = {}
    for name in sorted(functions, key=lambda name: (_NUMBERS.sub("_#", name), numbers[name])):
        text = _NUMBERS.sub("_#", name)
        seen[text] = seen.get(text, 0) + 1
        plain[name] = text if not numbers[name] else f"{text}~{seen[text]}"

    def renamed(node: list) -> list:
        attrs = {}
        for key, text in node[4].items():
            for name in functions:
                text = re.sub(rf"(?<![\w.-]){re.escape(name)}\(", plain[name] + "(", text)
            attrs[key] = _CALL_NUMBER.sub("PartitionedCall-#", text)
            if key == "config_proto":  # a serialized map, whose order the process chooses
                attrs[key] = "".join(sorted(text))
        op = plain.get(node[1], node[1])
        return [node[0], op, *node[2:4], attrs, *node[5:]]

    return {
        **record,
        "nodes": [renamed(node) for node in record["nodes"]],
        "functions": {plain[name]: [renamed(node) for node in nodes] for name, nodes in functions.items()},
    }


def graph_differences(expected: dict, got: dict, nodes: bool = True, shapes: bool = True) -> list[str]:
    """The first node that differs, both sides with their surroundings; then library functions."""
    expected, got = (with_plain_functions(with_plain_digests(record)) for record in (expected, got))
    fields = [index for index, name in enumerate(NODE_FIELDS) if (shapes if name == "outputs" else nodes)]
    left, right = ([with_plain_numbers(node) for node in side["nodes"]] for side in (expected, got))
    if not nodes:  # shapes alone: of the nodes that both have
        theirs = {node[0]: node for node in right}
        left = [node for node in left if node[0] in theirs]
        right = [theirs[node[0]] for node in left]
    place = next((i for i, (a, b) in enumerate(zip(left, right)) if any(a[f] != b[f] for f in fields)), None)
    if place is None and len(left) != len(right):
        place = min(len(left), len(right))
    found = []
    if place is not None:
        found.append(node_difference(left, right, place, fields))
    functions = [record.get("functions", {}) for record in (expected, got)]
    if nodes and sorted(functions[0]) != sorted(functions[1]):
        found.append(f"functions: got {sorted(functions[1])}, expected {sorted(functions[0])}")
    elif nodes:
        for name in functions[0]:
            text = graph_differences({"nodes": functions[0][name]}, {"nodes": functions[1][name]}, True, False)
            found += [f"function {name}: {line}" for line in text]
    return found


def node_difference(left: list, right: list, place: int, fields: list[int]) -> str:
    """The difference at node number `place`, and the lists around it."""
    lines = [f"graph: {len(right)} nodes, expected {len(left)}; first difference at node {place}"]
    a, b = (nodes[place] if place < len(nodes) else None for nodes in (left, right))
    lines.append(f"  expected: {node_text(a) if a else '(no more nodes)'}")
    lines.append(f"  got:      {node_text(b) if b else '(no more nodes)'}")
    if a and b:
        for field in fields:
            if a[field] != b[field] and NODE_FIELDS[field] == "attrs":
                for key in sorted(set(a[4]) | set(b[4])):
                    if a[4].get(key) != b[4].get(key):
                        lines.append(f"  attr {key}: got {b[4].get(key)}, expected {a[4].get(key)}")
            elif a[field] != b[field]:
                lines.append(f"  {NODE_FIELDS[field]}: got {b[field]}, expected {a[field]}")
    window = slice(max(0, place - CONTEXT), place + CONTEXT + 1)
    around = difflib.ndiff([node_text(node) for node in left[window]], [node_text(node) for node in right[window]])
    lines += ["  around it (- expected, + got):"] + ["    " + line for line in around if not line.startswith("?")]
    return "\n".join(lines)


def mapping_differences(kind: str, expected: dict, got: dict) -> list[str]:
    """Entries of two mappings that differ."""
    return [f"{kind} {key}: got {got.get(key)}, expected {expected.get(key)}"
            for key in sorted(set(expected) | set(got)) if expected.get(key) != got.get(key)]


def fact_differences(expected: dict, got: dict) -> list[str]:
    """Plain facts that differ; raised exceptions agree if ours has the class of the original or one under it."""
    found = []
    for key in sorted(set(expected) | set(got)):
        left, right = expected.get(key), got.get(key)
        if isinstance(left, dict) and isinstance(right, dict) and "raised" in left and "raised" in right:
            if expected_class(left["raised"]) not in right["raised"]:
                found.append(f"fact {key}: got {right['raised'][0]} ({right['message']}), "
                             f"expected {left['raised'][0]} ({left['message']})")
            elif left.get("says") != right.get("says"):
                found.append(f"fact {key}: the message does not match {left['says'][0]!r}: {right['message']}, "
                             f"expected {left['message']}")
        elif isinstance(left, dict) and isinstance(right, dict) and "array" in left and "array" in right:
            found += [f"fact {key}: {text}" for text in array_difference(left["array"], right["array"], None)]
        elif isinstance(left, float) and isinstance(right, float):
            found += [] if np.isclose(left, right, equal_nan=True) else [f"fact {key}: got {right}, expected {left}"]
        elif left != right:
            found.append(f"fact {key}: got {fact_text(right)}, expected {fact_text(left)}")
    return found


def fact_text(fact) -> str:
    """A fact for a reader."""
    if isinstance(fact, dict) and "raised" in fact:
        return f"{fact['raised'][0]} ({fact['message']})"
    return repr(fact)


def value_differences(expected: dict, got: dict, tolerance: float | None) -> list[str]:
    """Fetched values of one run that differ."""
    found = []
    for path in sorted(set(expected) | set(got)):
        if path not in got or path not in expected:
            found.append(f"{path}: {'no value' if path not in got else 'a value'}, unlike the original")
        else:
            found += [f"{path}: {text}" for text in array_difference(expected[path], got[path], tolerance)]
    return found


def decode(record: dict) -> np.ndarray:
    """The array of a value record; bfloat16 as float32."""
    if record["dtype"] == "string":
        return np.array(record["data"], object).reshape(record["shape"])
    data = base64.b64decode(record["data"])
    if record["dtype"] == "bfloat16":
        return (np.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4").reshape(record["shape"])
    name = record["dtype"].removeprefix("q") if record["dtype"].startswith(("qint", "quint")) else record["dtype"]
    return np.frombuffer(data, name).reshape(record["shape"])


def array_difference(expected: dict, got: dict, tolerance: float | None) -> list[str]:
    """How two values differ: dtype, shape, or the element that is farthest off."""
    for key in ("dtype", "shape"):
        if expected[key] != got[key]:
            return [f"{key} {got[key]}, expected {expected[key]}"]
    left, right = decode(expected), decode(got)
    if tolerance is None:
        tolerance = TOLERANCES.get(expected["dtype"], 0)
    if left.dtype.kind in "fc" and left.size:
        with np.errstate(all="ignore"):
            scale = np.abs(left[np.isfinite(left)]).max(initial=0.0) if left.dtype.kind == "f" else np.abs(left).max()
            allowed = tolerance * (np.abs(left) + min(1.0, float(scale) if np.isfinite(scale) else 1.0))
            noise = 4 * np.finfo(left.dtype).eps
            if tolerance and (scale == 0 or noise / 64 < scale <= noise):  # all of it is what rounding left over
                allowed = np.full(left.shape, noise)
            near = np.isfinite(left) & np.isfinite(right) & (np.abs(left - right) <= allowed)
            same = (left == right) | (np.isnan(left) & np.isnan(right)) | near
    else:
        same = np.asarray(left == right)
    if np.all(same):
        return []
    index = tuple(int(i) for i in np.argwhere(~same)[0])
    return [f"{int((~same).sum())} of {left.size} elements differ, first at {list(index)}: "
            f"got {right[index]!r}, expected {left[index]!r}"]
