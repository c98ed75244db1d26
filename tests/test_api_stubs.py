"""The tool that writes type stubs of the assembled API and the list of known names."""
import importlib.util
from pathlib import Path

from ossia_core.plugins import api_table

_SPEC = importlib.util.spec_from_file_location("api_stubs", Path(__file__).parents[1] / "tools" / "api_stubs.py")
api_stubs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(api_stubs)

TABLES = {
    "ossia-core": {"ossia_api": {"Graph": "ossia_core.graph.graph:Graph"}, "ossia_ops": {"Step": "ossia_core.cells"}},
    "ossia-other": {
        "ossia_api": {
            "Again": "ossia_other.cells:Cell", "nn.rnn_cell.Cell": "ossia_other.cells:Cell",
            "logging": "ossia_other.logging:", "nn.Again": "ossia_other.cells:Cell",
        },
        "ossia_ops": {"Step": "ossia_other.cells"},
        "ossia_schedules": {"fading": "ossia_other.fading:fading"},
        "ossia_checkpoint_formats/last": {"any": "ossia_other.any:AnyFile"},
    },
}


def test_stubs_and_known_names(tmp_path):
    for distribution, table in TABLES.items():
        source = tmp_path / distribution.removeprefix("ossia-") / "src" / distribution.replace("-", "_")
        source.mkdir(parents=True)
        (source / "_tables.txt").write_text(api_table.source(source.name, table))
    folder = tmp_path / "core" / "src" / "ossia"
    folder.mkdir()
    assert api_stubs.main([str(tmp_path), "--check"]) == 1
    assert api_stubs.main([str(tmp_path)]) == 0
    assert api_stubs.main([str(tmp_path), "--check"]) == 0
    assert "from ossia_core.graph.graph import Graph as Graph" in (folder / "__init__.pyi").read_text()
    assert "from . import compat as compat, nn as nn, train as train\n" in (folder / "__init__.pyi").read_text()
    assert "from ossia_other import logging as logging" in (folder / "__init__.pyi").read_text()
    assert "from ossia.nn import Again as Again\n" in (folder / "__init__.pyi").read_text()
    nn = (folder / "nn" / "__init__.pyi").read_text()
    assert "from ossia_other.cells import Cell as _Again\nAgain = _Again" in nn
    assert "from ossia_other.cells import Cell as Cell" in (folder / "nn" / "rnn_cell.pyi").read_text()
    assert "from ossia.nn import *" in (folder / "compat" / "v1" / "nn" / "__init__.pyi").read_text()
    known = (tmp_path / "core" / "src" / "ossia_core" / "plugins" / "_known.txt").read_text()
    assert known == (
        "ossia-other: logging ,nn: Again nn.rnn_cell: Cell ossia_checkpoint_formats/last: any ossia_schedules: fading "
        "+Step\n"
    )
    assert "from ossia_other.fading import fading as fading" in (folder / "train.pyi").read_text()
    (folder / "old.pyi").write_text("")
    assert api_stubs.main([str(tmp_path), "--check"]) == 1
    assert api_stubs.main([str(tmp_path)]) == 0
    assert not (folder / "old.pyi").exists()
