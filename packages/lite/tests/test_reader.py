"""Files: what is written is read again, and damaged files are refused before anything of them is used."""

import math
import resource
import struct

import numpy as np
import pytest

from ossia_lite.builder import ModelBuilder
from ossia_lite.interpreter import Interpreter
from ossia_lite.reader import read_model
from ossia_lite.schema import TABLES, record
from ossia_lite.verifier import verify
from ossia_lite.writer import write_model


def _network():
    builder = ModelBuilder()
    x = builder.tensor("x", [1, 4, 4, 2], np.float32, signature=[-1, 4, 4, 2])
    y, z = builder.tensor("y", [1, 2, 2, 2], np.float32), builder.tensor("z", [1, 2, 2, 2], np.float32)
    filters = builder.constant("w", np.ones((2, 3, 3, 2), np.float32))
    options = record("Conv2DOptions", padding=0, stride_w=2, stride_h=2, fused_activation_function=1)
    builder.operator("CONV_2D", [x, filters, builder.constant("b", np.zeros(2, np.float32))], [y], options)
    builder.operator("SOFTMAX", [y], [z], record("SoftmaxOptions", beta=1.0))
    return builder.model([x], [z], ({"x": x}, {"z": z}))


NETWORK = write_model(_network())
SCALES = record("QuantizationParameters", scale=[1.0] * 3)


def _run(content):
    """Reads and runs a model that may be damaged; every refusal is of a documented class."""
    try:
        interpreter = Interpreter(model_content=content)
        if sum(math.prod(detail["shape"].tolist()) for detail in interpreter.get_tensor_details()) > 1 << 16:
            return True  # a shape may be as large as it likes, but running it takes long
        interpreter.allocate_tensors()
        interpreter.invoke()
    except (ValueError, RuntimeError, NotImplementedError):
        return False
    return True


@pytest.fixture
def little_memory():
    """A limit on the memory of the process, so that a size that a damaged file claims cannot take the machine down."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def test_round_trip():
    again = read_model(NETWORK)
    assert write_model(again) == NETWORK
    assert [tensor.name for tensor in again.subgraphs[0].tensors] == ["x", "y", "z", "w", "b"]
    assert again.subgraphs[0].tensors[0].shape_signature == [-1, 4, 4, 2]
    assert again.subgraphs[0].operators[0].builtin_options.stride_w == 2
    assert again.signature_defs[0].inputs[0].name == "x"


def test_every_table_round_trips():
    """Each table of options comes back with every field, at values that are no defaults."""
    for name in [name for name, table in TABLES.items() if name.endswith("Options")]:
        values = {}
        for field in TABLES[name].fields:
            one = {"float": 0.5, "string": "s", "bool": not field.default}.get(field.kind, 7)
            values[field.name] = [one, one] if field.vector else one
        builder = ModelBuilder()
        builder.operator("custom", [], [], record(name, **values))
        content = write_model(builder.model([], []))
        verify(content)
        options = read_model(_without_calls(content, values)).subgraphs[0].operators[0].builtin_options
        assert {field: getattr(options, field) for field in values} == values


def _without_calls(content, values):
    """Subgraphs that an operator calls have to exist: adds them."""
    if not any("subgraph" in name for name in values):
        return content
    from ossia_lite import reader

    held, reader.check_model = reader.check_model, lambda model: None
    try:
        model = read_model(content)
    finally:
        reader.check_model = held
    model.subgraphs += [record("SubGraph", name=str(index)) for index in range(7)]
    return write_model(model)


def test_buffers_are_aligned():
    data = np.ones((2, 3, 3, 2), np.float32).tobytes()
    assert NETWORK.index(data) % 16 == 0


def test_damaged_bytes(little_memory):
    """Each byte in turn with bits flipped: read or refused, never anything else."""
    accepted = 0
    for place in range(len(NETWORK)):
        for mask in (0x01, 0xFF):
            damaged = bytearray(NETWORK)
            damaged[place] ^= mask
            accepted += _run(bytes(damaged))
    assert 0 < accepted < 2 * len(NETWORK)


def test_truncated():
    for length in range(len(NETWORK)):
        with pytest.raises(ValueError):
            read_model(NETWORK[:length])


def test_offsets_and_lengths(little_memory):
    """Each word in turn with a value that points outside or counts without end."""
    for place in range(0, len(NETWORK) - 3, 4):
        for value in (0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
            _run(NETWORK[:place] + struct.pack("<I", value) + NETWORK[place + 4 :])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: setattr(m, "version", 2), "schema version 2"),
        (lambda m: setattr(m, "subgraphs", []), "no subgraph"),
        (lambda m: setattr(m.subgraphs[0].tensors[0], "shape", [-1, 4, 4, 2]), "is not a shape"),
        (lambda m: setattr(m.subgraphs[0].tensors[0], "type", 99), "tensor type 99"),
        (lambda m: setattr(m.subgraphs[0].tensors[0], "buffer", 99), "no buffer 99"),
        (lambda m: setattr(m.subgraphs[0].operators[0], "opcode_index", 9), "no operator code 9"),
        (lambda m: setattr(m.subgraphs[0].operators[0], "inputs", [0, 1, 99]), "no tensor 99"),
        (lambda m: setattr(m.subgraphs[0].tensors[3], "shape", [2, 3, 3, 3]), "bytes where its shape"),
        (lambda m: setattr(m.subgraphs[0].tensors[3], "quantization", SCALES), "3 scales do not fit"),
        (lambda m: setattr(m.signature_defs[0], "subgraph_index", 4), "no subgraph 4"),
        (lambda m: setattr(m.subgraphs[0].operators[0], "builtin_options", record("WhileOptions")), "in a cycle"),
    ],
)
def test_what_cannot_be(change, message):
    model = _network()
    change(model)
    with pytest.raises(ValueError, match=message):
        read_model(write_model(model))
