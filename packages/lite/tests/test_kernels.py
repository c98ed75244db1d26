"""Every operator against LiteRT: models of single operators, whose values `record_operators.py` recorded."""

import pathlib
import runpy

import numpy as np
import pytest

from ossia_lite.interpreter import Interpreter

HERE = pathlib.Path(__file__).parent
KINDS = ("operator", "state", "integer")
GOLDEN: dict[str, np.ndarray] = {}
for _kind in KINDS:
    with np.load(HERE / f"{_kind}_golden.npz") as _values:
        GOLDEN.update(_values)
CASES = {
    name: (content, feeds)
    for kind in KINDS
    for name, content, feeds in runpy.run_path(str(HERE / f"{kind}_cases.py"))["cases"]()
}


def _agrees(value, wanted, tolerance):
    if value.shape != wanted.shape or value.dtype != wanted.dtype:
        return False
    if value.dtype.kind in "fc":
        return np.abs(value - wanted).max(initial=0) <= tolerance * max(np.abs(wanted).max(initial=0), 1e-6)
    return np.array_equal(value, wanted)


@pytest.mark.parametrize("name", CASES)
def test_operator(name):
    """Floats within 2e-6 of the range; integers equal to those of the reference kernels, or of the optimised ones."""
    content, feeds = CASES[name]
    interpreter = Interpreter(model_content=content)
    interpreter.allocate_tensors()
    for detail, value in zip(interpreter.get_input_details(), feeds, strict=True):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    for place, detail in enumerate(interpreter.get_output_details()):
        value = interpreter.get_tensor(detail["index"])
        recorded = [
            GOLDEN[key]
            for kind in ("BUILTIN_REF", "BUILTIN_WITHOUT_DEFAULT_DELEGATES")
            if (key := f"{name}/{kind}/{place}") in GOLDEN
        ]
        assert recorded
        assert any(_agrees(value, wanted, 2e-6) for wanted in recorded)
