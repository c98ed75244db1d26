"""Models of single operators that keep state, draw random numbers or run other subgraphs; values in
`state_golden.npz`."""

from __future__ import annotations

import pathlib
import runpy
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_lite.schema import record

_base = runpy.run_path(str(pathlib.Path(__file__).parent / "operator_cases.py"))
Case, F, I8, I32 = (_base[name] for name in ("Case", "F", "I8", "I32"))


def cases() -> Iterator[tuple[str, bytes, list[Any]]]:
    """Names, models and inputs."""
    yield from _recurrent()
    yield from _lstms()
    yield from _integers()
    yield from _random()
    yield from _resources()
    yield from _control()
    yield from _sound()


def _weights(case: Any, kind: str, *shape: int) -> int:
    if kind == "float":
        return case.constant((case.values(shape, F) / 8).astype(F))
    return case.constant(np.maximum(case.values(shape, I8), -127), (case.random.uniform(0.002, 0.004), 0))


def _recurrent() -> Iterator[Any]:
    depth, units, batch, steps = 12, 8, 2, 4
    for kind in ("float", "hybrid"):
        for operator in ("RNN", "UNIDIRECTIONAL_SEQUENCE_RNN"):
            case = Case(f"{operator} {kind}")
            sequence = operator != "RNN"
            data = case.input((batch, steps, depth) if sequence else (batch, depth))
            bias = case.constant(case.values((units,), F))
            state = case.builder.tensor("state", (batch, units), F, variable=True)
            weights = [_weights(case, kind, units, depth), _weights(case, kind, units, units)]
            options = ("SequenceRNNOptions" if sequence else "RNNOptions", dict(fused_activation_function=4))
            shape = (batch, steps, units) if sequence else (batch, units)
            yield case.done(operator, [data, *weights, bias, state], [(shape, F)], options)
        case = Case(f"SVDF {kind}")
        inputs = [case.input((batch, depth)), _weights(case, kind, 8, depth)]
        inputs += [_weights(case, kind, 8, 5), case.constant(case.values((4,), F))]
        inputs.append(case.builder.tensor("state", (batch, 40), F, variable=True))
        yield case.done("SVDF", inputs, [((batch, 4), F)], ("SVDFOptions", dict(rank=2, fused_activation_function=1)))
        if kind == "hybrid":
            continue  # the recorded runtime ends the process
        case = Case(f"BIDIRECTIONAL_SEQUENCE_RNN {kind}")
        inputs = [case.input((steps, batch, depth))]
        for _ in range(2):
            inputs += [_weights(case, kind, units, depth), _weights(case, kind, units, units)]
            inputs.append(case.constant(case.values((units,), F)))
            inputs.append(case.builder.tensor(f"state{len(inputs)}", (batch, units), F, variable=True))
        fields = dict(time_major=True, fused_activation_function=4, merge_outputs=True)
        yield case.done(
            "BIDIRECTIONAL_SEQUENCE_RNN", inputs + [-1] * 3, [((steps, batch, 2 * units), F)],
            ("BidirectionalSequenceRNNOptions", fields),
        )


def _lstms() -> Iterator[Any]:
    depth, units, batch, steps = 12, 8, 2, 4
    for kind in ("float", "hybrid"):
        for name, projected, normalized in (("plain", 0, 0), ("projection", 6, 0), ("norm", 0, 1), ("coupled", 0, 0)):
            case = Case(f"UNIDIRECTIONAL_SEQUENCE_LSTM {kind} {name}")
            inputs = [case.input((steps, batch, depth)), *_cell(case, kind, depth, units, projected, name == "coupled")]
            inputs += [case.builder.tensor("state", (batch, projected or units), F, variable=True)]
            inputs += [case.builder.tensor("cell", (batch, units), F, variable=True)]
            inputs += [case.constant(case.values((units,), F)) if normalized else -1 for _ in range(4)]
            fields = dict(fused_activation_function=4, time_major=True, cell_clip=2.0)
            yield case.done(
                "UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, [((steps, batch, projected or units), F)],
                ("UnidirectionalSequenceLSTMOptions", fields),
            )
        case = Case(f"LSTM {kind}")
        inputs = [case.input((batch, depth)), *_cell(case, kind, depth, units, 0, False)]
        inputs += [case.builder.tensor(f"state{i}", (batch, units), F, variable=True) for i in range(2)]
        yield case.done("LSTM", inputs, [((batch, units), F)], ("LSTMOptions", dict(fused_activation_function=4)))
        for merged in (True, False):
            case = Case(f"BIDIRECTIONAL_SEQUENCE_LSTM {kind} {merged}")
            inputs = [case.input((steps, batch, depth))]
            for _ in range(2):
                inputs += _cell(case, kind, depth, units, 0, False)
            inputs += [case.builder.tensor(f"state{i}", (batch, units), F, variable=True) for i in range(4)]
            results = [((steps, batch, 2 * units), F)] if merged else [((steps, batch, units), F)] * 2
            fields = dict(fused_activation_function=4, time_major=True, merge_outputs=merged)
            yield case.done(
                "BIDIRECTIONAL_SEQUENCE_LSTM", inputs + [-1] * 9, results, ("BidirectionalSequenceLSTMOptions", fields)
            )


def _cell(case: Any, kind: str, depth: int, units: int, projected: int, coupled: bool) -> list[int]:
    """Weights, recurrent weights, peepholes, biases and projection."""
    found = [_weights(case, kind, units, depth) for _ in range(4)]
    found += [_weights(case, kind, units, projected or units) for _ in range(4)]
    if coupled:
        found[0] = found[4] = -1
    found += [-1] * 3 + [case.constant(case.values((units,), F)) for _ in range(4)]
    if coupled:
        found[11] = -1
    found.append(_weights(case, kind, projected, units) if projected else -1)
    return [*found, -1]


def _integers() -> Iterator[Any]:
    case = Case("SVDF int8")
    inputs = [case.input((2, 12), I8, (0.05, 3)), case.constant(case.values((8, 12), I8), (0.01, 0))]
    inputs.append(case.constant(case.random.randint(-3000, 3000, (8, 5)).astype(np.int16), (0.0005, 0)))
    inputs.append(case.constant(case.random.randint(-300, 300, 4).astype(I32), (0.0005 * 0.001, 0)))
    inputs.append(case.builder.tensor("state", (2, 40), np.int16, (0.001, 0), variable=True))
    yield case.done(
        "SVDF", inputs, [((2, 4), I8, (0.05, -4))], ("SVDFOptions", dict(rank=2, fused_activation_function=1))
    )


def _random() -> Iterator[Any]:
    for operator in ("RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL"):
        case = Case(operator)
        shape = case.constant(np.array([3, 7], I32))
        yield case.done(operator, [shape], [((3, 7), F)], ("RandomOptions", dict(seed=7, seed2=11)))


def _resources() -> Iterator[Any]:
    case = Case("VAR_HANDLE ASSIGN_VARIABLE READ_VARIABLE")
    builder, data = case.builder, case.input((2, 3))
    handle = builder.tensor("handle", (1,), I32)
    builder.graph.tensors[handle].type = 13
    builder.operator("VAR_HANDLE", [], [handle], record("VarHandleOptions", container="", shared_name="v"))
    builder.operator("ASSIGN_VARIABLE", [handle, data], [], record("AssignVariableOptions"))
    yield case.done("READ_VARIABLE", [handle], [((2, 3), F)], ("ReadVariableOptions", {}))


def _control() -> Iterator[Any]:
    case = Case("WHILE")
    count, data = case.input((1,), I32, value=[0]), case.input((3,))
    fields = {}
    for field in ("cond_subgraph_index", "body_subgraph_index"):
        fields[field], child = case.builder.child(field)
        one, two = child.tensor("i", (1,), I32), child.tensor("x", (3,), F)
        if field[0] == "c":
            result = child.tensor("more", (1,), np.bool_)
            child.operator("LESS", [one, child.constant("limit", np.array([4], I32))], [result], record("LessOptions"))
            outputs = [result]
        else:
            outputs = [child.tensor("next", (1,), I32), child.tensor("y", (3,), F)]
            child.operator("ADD", [one, child.constant("one", np.array([1], I32))], outputs[:1], record("AddOptions"))
            child.operator("MUL", [two, child.constant("f", F([1.5]))], outputs[1:], record("MulOptions"))
        child.graph.inputs, child.graph.outputs = [one, two], outputs
    yield case.done("WHILE", [count, data], [((1,), I32), ((3,), F)], ("WhileOptions", fields))
    for value in (True, False):
        case = Case(f"IF {value}")
        condition, data = case.input((1,), np.bool_, value=[value]), case.input((3,))
        fields = {}
        for field, operator in (("then_subgraph_index", "EXP"), ("else_subgraph_index", "NEG")):
            fields[field], child = case.builder.child(field)
            child.graph.inputs, child.graph.outputs = [child.tensor("x", (3,), F)], [child.tensor("y", (3,), F)]
            child.operator(operator, child.graph.inputs, child.graph.outputs)
        yield case.done("IF", [condition, data], [((3,), F)], ("IfOptions", fields))


def _sound() -> Iterator[Any]:
    from flatbuffers import flexbuffers

    for squared in (True, False):
        case = Case(f"AudioSpectrogram squared {squared}")
        options = bytes(flexbuffers.Dumps(dict(window_size=400, stride=160, magnitude_squared=squared)))
        data = case.input((1600, 1))
        yield case.done("AudioSpectrogram", [data], [((1, 8, 257), F)], custom_options=options)
    case = Case("Mfcc")
    options = bytes(
        flexbuffers.Dumps(
            dict(
                upper_frequency_limit=4000.0, lower_frequency_limit=20.0, filterbank_channel_count=40,
                dct_coefficient_count=13,
            )
        )
    )
    data = case.input((1, 8, 257), value=case.random.uniform(0, 100, (1, 8, 257)))
    inputs = [data, case.constant(np.array(16000, I32))]
    yield case.done("Mfcc", inputs, [((1, 8, 13), F)], custom_options=options)
