"""Names of devices: reading, writing and merging as TensorFlow 1.15 does."""

from types import SimpleNamespace

import pytest

from ossia_core.names import device
from ossia_core.names.device import DeviceSpec

FULL = "/job:worker/replica:0/task:1/device:GPU:3"


@pytest.mark.parametrize(
    "text,canonical",
    [
        (FULL, FULL), ("/cpu:0", "/device:CPU:0"), ("/gpu", "/device:GPU:*"), ("/device:GPU:*", "/device:GPU:*"),
        ("/device:gpu:0", "/device:GPU:0"),
        ("cpu:0", "/device:CPU:0"), ("/cpu:*", "/device:CPU:*"), ("", ""), ("/", ""), ("job:worker", "/job:worker"),
        ("/job:a/", "/job:a"), ("//job:a", "/job:a"),
        ("/task:1/job:worker", "/job:worker/task:1"), ("/job:a/job:b", "/job:b"), ("/job:", "/job:"),
        ("/device:MYDEV:3", "/device:MYDEV:3"), (None, ""),
    ],
)  # fmt: skip
def test_reading(text, canonical):
    assert DeviceSpec.from_string(text).to_string() == device.canonical_name(text) == canonical
    assert DeviceSpec(job="x").parse_from_string(text).to_string() == canonical


@pytest.mark.parametrize(
    "text",
    [
        "/foo:1",
        "foo",
        "/cpu:a",
        "/task:a",
        "/cpu:0/gpu:0",
        "/cpu:0/cpu:1",
        "/XLA_CPU:0",
        "/device:CPU",
        "/device:CPU:0:1",
        "/replica:*",
    ],
)
def test_refused(text):
    with pytest.raises(ValueError):
        DeviceSpec.from_string(text)
    with pytest.raises(ValueError):
        device.check_valid(text)
    with pytest.raises(ValueError):
        device.merge_device(text)


def test_parts():
    spec = DeviceSpec.from_string(FULL)
    assert (spec.job, spec.replica, spec.task, spec.device_type, spec.device_index) == ("worker", 0, 1, "GPU", 3)
    spec.job, spec.task, spec.device_type, spec.device_index = None, "7", "cpu", None
    assert spec.to_string() == "/replica:0/task:7/device:CPU:*"
    spec.device_type = None
    assert spec.to_string() == "/replica:0/task:7"
    assert (
        DeviceSpec(device_index=3).to_string() == ""
        and DeviceSpec(job="ps", device_type="gpu").to_string() == "/job:ps/device:GPU:*"
    )
    assert (DeviceSpec(task="2").task, DeviceSpec(replica=1.5).replica) == (2, 1)
    with pytest.raises(ValueError):
        DeviceSpec(task="x")


def test_equality():
    one, two = DeviceSpec.from_string("/job:a"), DeviceSpec(job="a")
    assert one == two and hash(one) == hash(two) and one != DeviceSpec(job="b") and one != "/job:a"


@pytest.mark.parametrize(
    "outer,inner,merged",
    [
        ("/job:a", "/task:1", "/job:a/task:1"), ("/job:a/gpu:0", "/cpu:1", "/job:a/device:CPU:1"),
        ("/gpu:1", "/device:CPU:*", "/device:CPU:1"),
        ("/job:a/task:1", "/job:b", "/job:b/task:1"), ("/gpu:0", "", "/device:GPU:0"), (None, "/job:a", "/job:a"),
        ("/gpu:*", "/gpu:1", "/device:GPU:1"),
    ],
)  # fmt: skip
def test_merging(outer, inner, merged):
    assert DeviceSpec.from_string(outer).make_merged_spec(DeviceSpec.from_string(inner)).to_string() == merged
    spec = DeviceSpec.from_string(outer)
    spec.merge_from(DeviceSpec.from_string(inner))
    assert spec.to_string() == merged
    assert device.merge_device(outer)(SimpleNamespace(device=inner)) == merged
    assert device.merge_device(DeviceSpec.from_string(outer))(SimpleNamespace(device=inner)) == merged


def test_replace():
    spec = DeviceSpec.from_string(FULL)
    assert spec.replace(job="b", device_index=None).to_string() == "/job:b/replica:0/task:1/device:GPU:*"
    assert spec.to_string() == FULL
