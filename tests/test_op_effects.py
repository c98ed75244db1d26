"""No kernel of any installed op changes what the declaration of the op does not say that it changes."""
import pytest

from ossia_core.declare import opdef
from ossia_testkit import effects, op_samples
from ossia_testkit.op_table import execute

PACKAGES = sorted(
    {module.split(".")[0] for module in (definition.module for definition in map(opdef.find, opdef.known_types()))}
)
SAMPLES = {
    name: found for name, found in op_samples.package_samples(*PACKAGES).items()
    if not name.split("-")[1].startswith(("refused", "unset"))
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_kernels_change_what_their_ops_say(name, monkeypatch):
    monkeypatch.setenv("OSSIA_BACKEND", "numpy")
    with effects.watched(), op_samples.sample_graph(*SAMPLES[name]) as built:
        execute(built)


def test_every_declaration_is_sound():
    for op_type in opdef.known_types():
        assert opdef.lookup(op_type).inputs is not None  # parsed, with what it says of its inputs
