"""Reading checkpoints by name."""

import subprocess
import sys

import numpy as np
import pytest

from ossia_checkpoint import reader
from ossia_core.names import dtypes, errors


@pytest.mark.parametrize("prefix", ["v2", "v1"])
def test_everything_in_a_checkpoint(golden, golden_tensors, prefix):
    expected = golden_tensors["tensors"]()
    found = reader.NewCheckpointReader(str(golden / prefix))
    shapes, types = found.get_variable_to_shape_map(), found.get_variable_to_dtype_map()
    assert set(shapes) == set(types) and set(shapes) <= set(expected)
    for name in shapes:
        assert shapes[name] == list(expected[name].shape) and types[name] == dtypes.as_dtype(expected[name].dtype)
        np.testing.assert_array_equal(found.get_tensor(name), expected[name])
    assert found.get_tensor("string") == b"one" and isinstance(found.get_tensor("scalar"), np.int64)
    assert found.has_tensor("scalar") and found.has_tensor(b"scalar") and not found.has_tensor("nothing")
    with pytest.raises(errors.NotFoundError):
        found.get_tensor("nothing")
    for call in (found.get_tensor, found.has_tensor):
        with pytest.raises(TypeError):
            call(3)


def test_debug_strings(golden):
    key = rb"\x00part\x00\x01\x01\x02".decode("unicode_escape").encode("latin1")
    lines = [
        key + b"\x80\x82\x80\x7f (DT_FLOAT) [2,4]",
        key + b"\x82\x82\x80\x7f (DT_FLOAT) [2,4]",
        key + b"\x84\x81\x80\x7f (DT_FLOAT) [1,4]",
    ]
    assert reader.NewCheckpointReader(str(golden / "sliced")).debug_string() == b"\n".join(
        [*lines, b"whole (DT_FLOAT) [2]\n"]
    )
    assert (
        reader.NewCheckpointReader(str(golden / "v1_sliced")).debug_string()
        == b"part (DT_FLOAT) [5,4], 3 slices\nwhole (DT_FLOAT) [2]\n"
    )


def test_patterns(golden, golden_tensors):
    found = reader.NewCheckpointReader(str(golden / "v1*"))
    assert found.has_tensor("part") and found.has_tensor("scalar")
    np.testing.assert_array_equal(found.get_tensor("part"), golden_tensors["PARTITIONED"])


@pytest.mark.parametrize("name", ["none", "none*"])
def test_nothing_there(tmp_path, name):
    with pytest.raises(errors.NotFoundError, match="Failed to find any matching files"):
        reader.NewCheckpointReader(str(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "why"), [("no/such/directory", "No such file"), ("no/*/x", "No such file"), ("file/x", "Not a directory")]
)
def test_no_folder_there(tmp_path, name, why):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(errors.InvalidArgumentError, match=f"Failed to get matching files on .*{why}"):
        reader.NewCheckpointReader(str(tmp_path / name))


def test_directories(golden, tmp_path):
    train = str(golden / "train")
    assert reader.list_variables(train) == [("global_step", []), ("model/w", [6, 2])]
    assert reader.load_variable(train, "global_step") == 3
    assert reader.load_variable(train, "model/w:0").tolist() == np.arange(12.0).reshape(6, 2).tolist()
    assert reader.load_variable(str(golden / "train/model.ckpt-2"), "global_step") == 2
    with pytest.raises(ValueError, match="Couldn't find 'checkpoint' file"):
        reader.load_checkpoint(str(tmp_path))


def test_a_file_that_is_no_checkpoint(tmp_path):
    (tmp_path / "x").write_bytes(b"hello" * 100)
    with pytest.raises(errors.DataLossError):
        reader.NewCheckpointReader(str(tmp_path / "x"))


def test_reading_needs_no_graph(golden):
    program = (
        "import sys; from ossia_checkpoint.reader import load_variable; "
        f"assert load_variable({str(golden / 'train')!r}, 'global_step') == 3; "
        "heavy = ('ossia_core.graph', 'ossia_core.session', 'ossia_ops.', 'ossia.'); "
        "assert not [name for name in sys.modules if name.startswith(heavy) and not name.endswith('._tables')]"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_damage_is_told_in_the_words_of_the_original(golden, tmp_path):
    prefix = str(tmp_path / "copy")
    for end in (".index", ".data-00000-of-00001"):
        (tmp_path / f"copy{end}").write_bytes((golden / f"train/model.ckpt-3{end}").read_bytes())
    data = tmp_path / "copy.data-00000-of-00001"
    data.write_bytes(bytes(byte ^ 1 for byte in data.read_bytes()))
    with pytest.raises(errors.DataLossError, match=r"Checksum does not match: stored \d+ vs. calculated on the"):
        reader.load_variable(prefix, "model/w")
    data.write_bytes(data.read_bytes()[:9])
    with pytest.raises(errors.OutOfRangeError, match="Read less bytes than requested"):
        reader.load_variable(prefix, "model/w")
