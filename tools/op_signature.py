"""Print the declaration of TensorFlow 1.15 ops in the form of `ossia_core.declare.opdef.op`, to start a new op from.

`python tools/op_signature.py MatMul Conv2D`, or `--all`; needs nothing but the facts that `op_defs.py` wrote.
"""
import json
import keyword
import lzma
import re
import sys

from op_defs import TARGET

WIDTH = 120


def snake_case(name):
    """`MatMul` -> `mat_mul`, `Conv2DBackpropInput` -> `conv2d_backprop_input`."""
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name.replace("V2", "_v2").replace("2D", "2d").replace("3D", "3d"))
    return re.sub(r"__+", "_", re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)).lower().lstrip("_")


def value_text(kind, value):
    """A default or allowed value in OpDef notation."""
    if kind.startswith("list("):
        return "[%s]" % ", ".join(value_text(kind[5:-1], item) for item in value)
    if kind == "string":
        return "'%s'" % value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    if kind == "bool":
        return "true" if value else "false"
    if kind == "type":
        return "DT_" + value.upper()
    if kind == "shape":
        return "{ unknown_rank: true }" if value is None else "{ %s}" % "".join("dim { size: %d } " % d for d in value)
    if kind == "tensor":
        dims = "".join("dim { size: %d } " % size for size in value["shape"])
        values = value["values"] if isinstance(value["values"], list) else [value["values"]]
        fields = " ".join("int_val: %d" % item for item in values)
        return "{ dtype: DT_%s tensor_shape { %s} %s }" % (value["dtype"].upper(), dims, fields)
    return repr(value)


def attr_spec(attr):
    """The specification of an attribute in OpDef notation: `{float, half} = DT_FLOAT`, `int >= 1`."""
    kind = attr["type"]
    element = kind[5:-1] if kind.startswith("list(") else kind
    text = kind
    if "allowed" in attr:
        names = [item if element == "type" else value_text("string", item) for item in attr["allowed"]]
        text = "{%s}" % ", ".join(names)
        if kind.startswith("list("):
            text = "list(%s)" % text
    if "minimum" in attr:
        text += " >= %d" % attr["minimum"]
    if "default" in attr:
        text += " = " + value_text(kind, attr["default"])
    return text


def pieces(text, width):
    """`text`, a string argument, as adjacent literals that fit into `width` columns."""
    while len(text) > width and ", " in text[:width - 3]:
        cut = text.rindex(", ", 0, width - 3) + 2
        yield text[:cut] + '" '
        text = '"' + text[cut:]
    yield text


def declaration(name, facts):
    """The Python statement that declares the op `name`."""
    arguments = [", ".join("%s: %s" % tuple(arg) for arg in facts[side]) for side in ("inputs", "outputs")]
    signature = "%s(%s)" % (name, arguments[0]) + (" -> " + arguments[1] if arguments[1] else "")
    parts, awkward = [json.dumps(signature)], []
    for attr in facts["attrs"]:
        text = json.dumps(attr_spec(attr))
        if keyword.iskeyword(attr["name"]) or attr["name"] in ("stateful", "signature"):
            awkward.append('"%s": %s' % (attr["name"], text))
        else:
            parts.append("%s=%s" % (attr["name"], text))
    if awkward:
        parts.append("**{%s}" % ", ".join(awkward))
    if facts["stateful"]:
        parts.append("stateful=True")
    head = snake_case(name) + "_op = op("
    if len(head) > WIDTH // 3:
        lines, line, indent = [head], "    ", "    "
    else:
        lines, line, indent = [], head, " " * len(head)
    for index, part in enumerate(parts):
        part += ")" if index == len(parts) - 1 else ", "
        for piece in pieces(part, WIDTH - len(indent)):
            if len(line) + len(piece.rstrip()) > WIDTH and line.strip() and line != head:
                lines.append(line.rstrip())
                line = indent
            line += piece
    lines.append(line)
    notes = ["gradient: " + facts["gradient"]]
    notes += [flag for flag in ("commutative", "aggregate", "uninitialized_input") if facts[flag]]
    if "deprecated_at" in facts:
        notes.append("deprecated at GraphDef version %d" % facts["deprecated_at"])
    return "\n".join(lines) + "\n# " + "; ".join(notes)


def main(names):
    """Print the declarations of `names`; `--all` stands for all ops with a Python wrapper."""
    with lzma.open(TARGET) as file:
        ops = json.loads(file.read().decode())
    if names == ["--all"]:
        names = sorted(name for name, facts in ops.items() if facts["wrapped"])
    for name in names:
        print(declaration(name, ops[name]) if name in ops else "# %s: no such op in TensorFlow 1.15" % name)
    return 0 if all(name in ops for name in names) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
