"""Recurrent layers of cuDNN over whole sequences, and their gradients, in NumPy.

Parameters are one vector: the matrices of all layers, for each layer and direction first those of the input, then those
of the state, gate by gate; then the biases in the same order. Gates of an LSTM are input, forget, memory, output; of a
GRU reset, update, candidate.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ossia_core.names.errors import InvalidArgumentError

GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


class Layout(NamedTuple):
    """What the parameters are of."""

    mode: str
    layers: int
    units: int
    inputs: int
    directions: int

    def weight_shapes(self) -> list[tuple[int, int]]:
        """Shapes of the matrices, in their order."""
        shapes = []
        for layer in range(self.layers):
            depth = self.inputs if layer == 0 else self.units * self.directions
            for _ in range(self.directions):
                shapes += [(self.units, depth)] * GATES[self.mode] + [(self.units, self.units)] * GATES[self.mode]
        return shapes

    def bias_count(self) -> int:
        """How many biases there are, each of as many elements as there are units."""
        return self.layers * self.directions * GATES[self.mode] * 2

    def size(self) -> int:
        """How many parameters there are."""
        return sum(rows * columns for rows, columns in self.weight_shapes()) + self.bias_count() * self.units

    def split(self, params: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Matrices and biases of a vector of parameters.

        Raises:
          InvalidArgumentError: it has another length.
        """
        if params.shape != (self.size(),):
            raise InvalidArgumentError(None, None, f"expected {self.size()} parameters, saw shape {params.shape}")
        weights, start = [], 0
        for shape in self.weight_shapes():
            weights.append(params[start : start + shape[0] * shape[1]].reshape(shape))
            start += shape[0] * shape[1]
        return weights, list(params[start:].reshape(-1, self.units))

    def cell(self, params: np.ndarray, number: int) -> tuple[np.ndarray, ...]:
        """Input and state matrices `[gates * units, ...]`, and their biases, of one layer and direction."""
        weights, biases = self.split(params)
        gates = GATES[self.mode]
        first, middle, last = number * 2 * gates, (number * 2 + 1) * gates, (number * 2 + 2) * gates
        return tuple(np.concatenate(part) for part in (
            weights[first:middle], weights[middle:last], biases[first:middle], biases[middle:last]
        ))


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 0.5 * (np.tanh(0.5 * x) + 1)


def _step(mode: str, from_input: np.ndarray, from_state: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple[Any, ...]:
    """State and memory after a step, and what its gradient needs."""
    if mode == "lstm":
        i, f, g, o = np.split(from_input + from_state, 4, axis=1)
        i, f, g, o = _sigmoid(i), _sigmoid(f), np.tanh(g), _sigmoid(o)
        new = f * c + i * g
        squashed = np.tanh(new)
        return o * squashed, new, (i, f, g, o, squashed)
    if mode == "gru":
        (xr, xu, xn), (hr, hu, hn) = np.split(from_input, 3, axis=1), np.split(from_state, 3, axis=1)
        r, u = _sigmoid(xr + hr), _sigmoid(xu + hu)
        n = np.tanh(xn + r * hn)
        return (1 - u) * n + u * h, c, (r, u, n, hn)
    total = from_input + from_state
    new = np.tanh(total) if mode == "rnn_tanh" else np.maximum(total, 0)
    return new, c, (new,)


def _step_back(
    mode: str, kept: tuple[Any, ...], h: np.ndarray, c: np.ndarray, dh: np.ndarray, dc: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Gradients of both gate inputs, of the memory, and the part of the state's that goes past the gates."""
    if mode == "lstm":
        i, f, g, o, squashed = kept
        dc = dc + dh * o * (1 - squashed**2)
        gates = np.concatenate(
            [dc * g * i * (1 - i), dc * c * f * (1 - f), dc * i * (1 - g**2), dh * squashed * o * (1 - o)], axis=1
        )
        return gates, gates, dc * f, np.zeros_like(dh)
    if mode == "gru":
        r, u, n, hn = kept
        dn = dh * (1 - u) * (1 - n**2)
        du = dh * (h - n) * u * (1 - u)
        dr = dn * hn * r * (1 - r)
        return np.concatenate([dr, du, dn], 1), np.concatenate([dr, du, dn * r], 1), dc, dh * u
    (new,) = kept
    gates = dh * (1 - new**2) if mode == "rnn_tanh" else dh * (new > 0)
    return gates, gates, dc, np.zeros_like(dh)


class _Direction(NamedTuple):
    """One layer in one direction, as it ran."""

    order: range
    states: list[np.ndarray]
    memories: list[np.ndarray]
    kept: list[tuple[Any, ...]]


class Recurrence:
    """The layers over a sequence `[time, batch, inputs]`."""

    def __init__(
        self, layout: Layout, x: np.ndarray, h: np.ndarray, c: np.ndarray, params: np.ndarray
    ) -> None:
        expected = (layout.layers * layout.directions, x.shape[1], layout.units)
        if h.shape != expected or (layout.mode == "lstm" and c.shape != expected):
            raise InvalidArgumentError(
                None, None, f"inputs of shape {x.shape} and states of shapes {h.shape}, {c.shape} do not fit"
            )
        self.layout, self.params = layout, params
        self.inputs: list[np.ndarray] = [x]
        self.runs: list[_Direction] = []
        last_h, last_c = np.empty_like(h), np.empty_like(h)
        for layer in range(layout.layers):
            outputs = []
            for direction in range(layout.directions):
                number = layer * layout.directions + direction
                memory = c[number] if layout.mode == "lstm" else np.zeros_like(h[number])
                run = self._run(number, self.inputs[-1], direction, h[number], memory)
                self.runs.append(run)
                last_h[number], last_c[number] = run.states[-1], run.memories[-1]
                output = np.empty((len(x), *h.shape[1:]), x.dtype)
                for place, time in enumerate(run.order):
                    output[time] = run.states[place + 1]
                outputs.append(output)
            self.inputs.append(np.concatenate(outputs, axis=2))
        self.output, self.last_h, self.last_c = self.inputs[-1], last_h, last_c

    def _run(self, number: int, x: np.ndarray, direction: int, h: np.ndarray, c: np.ndarray) -> _Direction:
        w, r, bw, br = self.layout.cell(self.params, number)
        from_input = x @ w.T + bw
        order = range(len(x) - 1, -1, -1) if direction else range(len(x))
        run = _Direction(order, [h], [c], [])
        for time in order:
            h, c, kept = _step(self.layout.mode, from_input[time], h @ r.T + br, h, c)
            run.states.append(h)
            run.memories.append(c)
            run.kept.append(kept)
        return run

    def backward(self, dy: np.ndarray, dh: np.ndarray, dc: np.ndarray) -> tuple[np.ndarray, ...]:
        """Gradients of inputs, states, memories and parameters."""
        layout = self.layout
        grads_h, grads_c = np.empty_like(self.last_h), np.empty_like(self.last_c)
        weights: list[np.ndarray] = []
        biases: list[np.ndarray] = []
        for layer in reversed(range(layout.layers)):
            below = np.zeros_like(self.inputs[layer])
            of_layer: list[tuple[np.ndarray, ...]] = []
            for direction in range(layout.directions):
                number = layer * layout.directions + direction
                part = dy[..., direction * layout.units : (direction + 1) * layout.units]
                memory = dc[number] if layout.mode == "lstm" else np.zeros_like(dh[number])
                got = self._back(number, self.inputs[layer], part, dh[number], memory)
                below += got[0]
                grads_h[number], grads_c[number] = got[1], got[2]
                of_layer.append(got[3:])
            weights = [each.ravel() for grads in of_layer for each in grads[:2]] + weights
            biases = [each.ravel() for grads in of_layer for each in grads[2:]] + biases
            dy = below
        return dy, grads_h, grads_c, np.concatenate([*weights, *biases])

    def _back(self, number: int, x: np.ndarray, dy: np.ndarray, dh: np.ndarray, dc: np.ndarray) -> tuple[Any, ...]:
        w, r, _, _ = self.layout.cell(self.params, number)
        run = self.runs[number]
        dx, dw, dr = np.empty_like(x), np.zeros_like(w), np.zeros_like(r)
        dbw, dbr = np.zeros(len(w), x.dtype), np.zeros(len(w), x.dtype)
        for place in reversed(range(len(run.kept))):
            time = run.order[place]
            of_input, of_state, dc, past = _step_back(
                self.layout.mode, run.kept[place], run.states[place], run.memories[place], dh + dy[time], dc
            )
            dx[time] = of_input @ w
            dw += of_input.T @ x[time]
            dr += of_state.T @ run.states[place]
            dbw += of_input.sum(0)
            dbr += of_state.sum(0)
            dh = of_state @ r + past
        return dx, dh, dc, dw, dr, dbw, dbr
