"""oneDNN where it is installed: values as on NumPy, on any number of threads; without it, or with a library that is of
no use, our own kernels."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.emitters.convolutions import Geometry
from ossia_backend_cffi.loader import native
from ossia_backend_cffi.passes import onednn
from ossia_backend_cffi.program.instructions import Matmul, kernels_of
from ossia_backend_cffi.run import region_program

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
SOURCE = Path(__file__).parents[1] / "src" / "ossia_backend_cffi" / "c" / "products" / "onednn.c"
PROGRAM = """
import numpy as np
import ossia as tf
from ossia_backend_cffi.passes import onednn
from ossia_backend_cffi.run import region_program
from ossia_backend_cffi.program.instructions import kernels_of
kernels = set()
class Seen(region_program.Specialisation):
    def __init__(self, *args):
        super().__init__(*args)
        kernels.update(kernels_of(self._table))
region_program.Specialisation = Seen
onednn.library_path = lambda: {path!r}
random = np.random.RandomState(0)
x, w = random.randn(2, 30, 31, 32).astype("f4"), random.randn(3, 3, 32, 32).astype("f4")
with tf.Session() as session:
    y = tf.nn.conv2d(tf.Variable(x) * 1.0, tf.Variable(w), [1, 1, 1, 1], "SAME")
    session.run(tf.global_variables_initializer())
    got = session.run(y)
padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
wanted = sum(padded[:, i : i + 30, j : j + 31] @ w[i, j] for i in range(3) for j in range(3))
np.testing.assert_allclose(got, wanted, rtol=1e-3, atol=1e-3)
print(onednn.is_open(), "onednn" in kernels, "conv" in kernels)
"""


def run(path, switch=""):
    """What a program with this library says: whether it is open, and which kernels are used."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(path=path)], capture_output=True, text=True, check=False,
        env={**os.environ, "OSSIA_BACKEND": "cffi", "OSSIA_ONEDNN": switch},
    )  # fmt: skip
    assert not done.returncode, done.stderr
    assert not done.stderr
    return [word == "True" for word in done.stdout.split()]


OURS = [False, False, True]


def test_not_installed():
    assert run(None) == OURS


def test_a_library_that_is_none(tmp_path):
    broken = tmp_path / "libdnnl.so.3"
    assert run(str(broken)) == OURS
    broken.write_bytes(b"\x7fELF and no more")
    assert run(str(broken)) == OURS
    assert run(native().__file__) == OURS  # another library


FAKE = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>
{made}
static const struct {{ int major, minor, patch; const char *hash; unsigned cpu, gpu; }}
    version = {{ {version}, 0, "", 2, 0 }};
const void *dnnl_version(void) {{ return &version; }}
size_t dnnl_memory_desc_get_size(void *md) {{ return md ? 64 : 0; }}
void *dnnl_primitive_desc_query_md(void *pd, int what, int at) {{ return what && !at ? pd : NULL; }}
int dnnl_memory_desc_equal(void *a, void *b) {{ return a == b; }}
int dnnl_primitive_execute(void *p, void *s, int n, void *a) {{ return p && s && n && a ? 1 : 2; }}
int omp_get_max_threads(void) {{ return 2; }}
void omp_set_num_threads(int n) {{ (void)n; }}
"""


def fake(folder, version, missing=()):
    """A library with the functions that are looked up: it makes everything, and fails to run it."""
    names = re.findall(r'\{"(\w+)", &lib', SOURCE.read_text())
    assert len(names) > 20
    made = "\n".join(
        f"int {name}(void **made) {{ *made = (void *)8; return 0; }}"
        if "create" in name or "clone" in name
        else f"int {name}(void) {{ return 0; }}"
        for name in names
        if f"{name}(" not in FAKE and name not in missing
    )
    source, library = folder / "fake.c", folder / f"libfake{version[-1]}{len(missing)}.so"
    source.write_text(FAKE.format(made=made, version=version))
    subprocess.run(["gcc", "-shared", "-fPIC", "-w", str(source), "-o", str(library)], check=True)
    return str(library)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_the_version_and_the_functions_are_looked_at(tmp_path):
    assert run(fake(tmp_path, "3, 2")) == [True, True, False]
    assert run(fake(tmp_path, "3, 1")) == OURS
    assert run(fake(tmp_path, "2, 2")) == OURS
    assert run(fake(tmp_path, "3, 2", ["dnnl_matmul_primitive_desc_create"])) == OURS


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_the_switch(tmp_path):
    library = fake(tmp_path, "3, 2")
    assert run(library, "0")[1:] == [False, True]
    # What the library fails to run, our kernel does: the values have been compared.
    assert run(library, "all") == [True, True, False]


# -- which shapes -----------------------------------------------------------------------------------------------------


def conv(n, size, channels, window, filters, stride=1, dilation=1, name="conv"):
    out = -(-size // stride)
    geometry = n, size, size, channels, window, window, out, out, stride, stride, 1, 1, dilation, dilation
    return types.SimpleNamespace(name=name, co=filters, **Geometry(*geometry)._asdict())


def conv_input(*sizes):
    return conv(*sizes, name="conv_input")


def matmul(m, n, k, **given):
    return Matmul(out=0, a=1, b=2, m=m, n=n, k=k, **given)


@pytest.mark.parametrize(
    "row, expected",
    [
        (conv(1, 56, 64, 3, 64), True),
        (conv(1, 56, 128, 3, 128, 2), True),
        (conv(1, 56, 64, 3, 64, dilation=2), False),
        (conv(1, 224, 3, 7, 64, 2), False),
        (conv(4, 14, 256, 3, 256), False),
        (conv_input(4, 14, 256, 3, 256), True),
        (conv_input(4, 28, 256, 3, 256, 2), False),
        (conv_input(4, 224, 3, 7, 64, 2), True),
        (conv_input(4, 56, 256, 1, 512, 2), False),
        (matmul(12544, 256, 64), True),
        (matmul(12544, 256, 64, tb=1), True),
        (matmul(12544, 256, 64, tb=1, adds=1), False),
        (matmul(512, 512, 512), False),
    ],
)
def test_the_rule(row, expected):
    assert onednn.is_faster(row) is expected


@pytest.mark.parametrize(
    "n, size, expected", [(1, 64, 8), (3, 64, 6), (7, 64, 7), (1, 14, 3), (8, 64, 8), (40, 64, 16), (1, 4, 1)]
)
def test_the_number_of_parts_follows_from_the_sizes(n, size, expected):
    blocks, bands = onednn._cut(conv(n, size, 64, 3, 64))
    assert blocks * bands == expected


# -- with the library -----------------------------------------------------------------------------------------------


@pytest.fixture
def taken(monkeypatch):
    """The kernels that oneDNN takes over."""
    found = []
    make = onednn._made

    def counting(row):
        made = make(row)
        if made is not None:
            found.append(row.name)
        return made

    monkeypatch.setattr(onednn, "_made", counting)
    return found


def values(shape, window, filters, strides=(1, 1), padding="SAME", dilations=(1, 1), data_format="NHWC", threads=0):
    """A convolution and its gradients."""
    random = np.random.RandomState(1)
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=threads)) as session:
        n, h, w, channels = shape
        x = tf.Variable(random.randn(*(shape if data_format == "NHWC" else (n, channels, h, w))).astype("f4"))
        weights = tf.Variable(random.randn(*window, channels, filters).astype("f4"))
        spatial = [[1, *pair, 1] if data_format == "NHWC" else [1, 1, *pair] for pair in (strides, dilations)]
        y = tf.nn.conv2d(x, weights, spatial[0], padding, data_format=data_format, dilations=spatial[1])
        change = tf.constant(random.randn(*y.shape.as_list()).astype("f4")) + 0.0
        session.run(tf.global_variables_initializer())
        return session.run([y, *tf.gradients(y * change, [x, weights])])


CASES = [
    ((n, size, size + 1, channels), window, filters, strides, padding, dilations)
    for n, size in ((1, 37), (3, 20), (9, 13))
    for channels, filters in ((1, 5), (3, 32), (17, 16), (64, 33))
    for window, strides, padding, dilations in (
        ((3, 3), (1, 1), "SAME", (1, 1)), ((3, 3), (1, 1), "VALID", (1, 1)), ((1, 7), (1, 1), "SAME", (1, 1)),
        ((5, 2), (2, 1), "SAME", (1, 1)), ((3, 3), (2, 2), "VALID", (1, 1)), ((2, 2), (3, 3), "SAME", (1, 1)),
        ((1, 1), (1, 1), "SAME", (1, 1)), ((3, 3), (1, 1), "SAME", (2, 3)),
        ((3, 4), (1, 2), [[0, 0], [3, 0], [1, 4], [0, 0]], (1, 1)), ((2, 2), (5, 5), "SAME", (1, 1)),
    )
]  # fmt: skip


@pytest.mark.onednn
@pytest.mark.parametrize("case", CASES, ids=str)
def test_as_on_numpy(case, backend, monkeypatch, taken):
    backend("numpy")
    expected = values(*case)
    backend("cffi")
    monkeypatch.setenv("OSSIA_ONEDNN", "all")
    found = values(*case, threads=1)
    for got, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-3, atol=1e-4 * max(1.0, np.abs(wanted).max()))
    if case[1] == (1, 1) and case[3] == (1, 1):
        assert taken == ["matmul", "matmul", "matmul"]
    else:
        assert "conv" in taken or case[5] != (1, 1)
    for got, wanted in zip(values(*case, threads=3), found, strict=True):
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.onednn
def test_channels_first(backend, monkeypatch, taken):
    backend("numpy")
    case = (3, 20, 21, 16), (3, 3), 24, (1, 1), "SAME", (1, 1), "NCHW"
    expected = values(*case)
    backend("cffi")
    monkeypatch.setenv("OSSIA_ONEDNN", "all")
    for got, wanted in zip(values(*case), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-3, atol=1e-2)
    assert sorted(taken) == ["conv", "conv_input"]


@pytest.mark.onednn
@pytest.mark.parametrize("ta", [False, True])
@pytest.mark.parametrize("tb", [False, True])
@pytest.mark.parametrize("m, n, k", [(1, 1, 1), (3, 17, 5), (300, 33, 70), (4000, 64, 31)])
def test_products(m, n, k, ta, tb, backend, monkeypatch, taken):
    backend("cffi")
    monkeypatch.setenv("OSSIA_ONEDNN", "all")
    random = np.random.RandomState(2)
    a, b = random.randn(*((k, m) if ta else (m, k))), random.randn(*((n, k) if tb else (k, n)))
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2)) as session:
        product = tf.matmul(*(tf.Variable(v.astype("f4")) for v in (a, b)), ta, tb)
        session.run(tf.global_variables_initializer())
        got = session.run(product + 0.0)
    np.testing.assert_allclose(got, (a.T if ta else a) @ (b.T if tb else b), rtol=1e-3, atol=1e-3)
    assert taken == ["matmul"]


@pytest.mark.onednn
def test_the_border_of_a_gradient_meets_no_weights(backend, monkeypatch, taken):
    filters = np.full((3, 3, 32, 32), 0.5, "f4")
    filters[0, 2, 1] = np.inf
    change = np.abs(np.random.RandomState(0).randn(2, 20, 20, 32)).astype("f4") + 0.1

    def found():
        with tf.Graph().as_default(), tf.Session() as session:
            w, dy = tf.placeholder(tf.float32, filters.shape), tf.placeholder(tf.float32, change.shape)
            y = tf.nn.conv2d_backprop_input([2, 20, 20, 32], w * 1.0, tf.nn.relu(dy), [1, 1, 1, 1], "SAME")
            return session.run(y, {w: filters, dy: change})

    backend("numpy")
    expected = found()
    assert np.isfinite(expected[:, -1]).all()
    backend("cffi")
    np.testing.assert_allclose(found(), expected, rtol=1e-4)
    assert taken == ["conv_input"]


@pytest.mark.onednn
@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan])
def test_the_border_of_an_image_meets_weights(special, backend, taken):
    filters = np.full((3, 3, 32, 32), 0.5, "f4")
    filters[0, 2, 1, :16] = special
    images = np.abs(np.random.RandomState(0).randn(2, 30, 30, 32)).astype("f4") + 0.1

    def found():
        with tf.Graph().as_default(), tf.Session() as session:
            x, w = tf.placeholder(tf.float32, images.shape), tf.placeholder(tf.float32, filters.shape)
            return session.run(tf.nn.conv2d(x, w * 1.0, [1, 1, 1, 1], "SAME"), {w: filters, x: images})

    backend("numpy")
    expected = found()
    assert np.isnan(expected[:, 0, :, :16]).all()
    assert np.isfinite(expected[..., 16:]).all()
    backend("cffi")
    np.testing.assert_allclose(found(), expected, rtol=1e-4)
    assert taken == ["conv"]


@pytest.mark.onednn
def test_training(backend, monkeypatch, taken):
    def trained(threads):
        random = np.random.RandomState(4)
        config = tf.ConfigProto(intra_op_parallelism_threads=threads)
        with tf.Graph().as_default(), tf.Session(config=config) as session:
            x = tf.placeholder(tf.float32, [None, 40, 40, 3])
            h = x
            for m in (32, 32, 48):
                w = tf.Variable((random.randn(3, 3, h.shape[3].value, m) * 0.1).astype("f4"))
                h = tf.nn.relu(tf.nn.conv2d(h, w, [1, 1, 1, 1], "SAME"))
            loss = tf.reduce_mean(tf.square(h))
            train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
            session.run(tf.global_variables_initializer())
            losses = [session.run([loss, train], {x: random.randn(4, 40, 40, 3)})[0] for _ in range(5)]
            return [*losses, *session.run(tf.trainable_variables())]

    backend("numpy")
    expected = trained(0)
    assert not taken
    backend("cffi")
    found = trained(1)
    assert {"conv", "conv_input"} == set(taken)
    for got, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-3, atol=1e-5)
    for threads in (2, 5):
        for got, wanted in zip(trained(threads), found, strict=True):
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.onednn
def test_groups_stay_ours(backend, monkeypatch, taken):
    backend("cffi")
    kernels = set()
    make = region_program.Specialisation.__init__

    def seeing(self, *args):
        make(self, *args)
        kernels.update(kernels_of(self._table))

    monkeypatch.setattr(region_program.Specialisation, "__init__", seeing)
    values((16, 28, 28, 32), (3, 3), 32)
    assert "images" in kernels
    assert "onednn" not in kernels
    monkeypatch.setenv("OSSIA_ONEDNN", "all")
    values((16, 28, 28, 32), (3, 3), 32)
    assert "onednn" in kernels


@pytest.mark.onednn
def test_runs_side_by_side(backend, taken):
    backend("cffi")
    random = np.random.RandomState(5)
    batches = [random.randn(2, 30, 30, 32).astype("f4") for _ in range(4)]
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [2, 30, 30, 32])
        y = tf.nn.conv2d(x, tf.Variable(random.randn(3, 3, 32, 32).astype("f4")), [1, 1, 1, 1], "SAME")
        session.run(tf.global_variables_initializer())
        expected = [session.run(y, {x: batch}) for batch in batches]
        assert taken == ["conv"]

        def run(k):
            return all(np.array_equal(session.run(y, {x: batches[k]}), expected[k]) for _ in range(20))

        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(run, range(4)))


@pytest.mark.onednn
def test_after_a_fork():
    script = (
        "import os, numpy as np, ossia as tf\n"
        "s = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2))\n"
        "x, w = (tf.Variable(np.random.rand(*d).astype('f4')) for d in ([4, 64, 64, 32], [3, 3, 32, 32]))\n"
        "s.run(tf.global_variables_initializer())\n"
        "y = tf.nn.conv2d(x, w, [1, 1, 1, 1], 'SAME')\n"
        "before = s.run(y)\n"
        "child = os.fork()\n"
        "same = np.array_equal(s.run(y), before)\n"
        "if not child: os._exit(0 if same else 1)\n"
        "assert same and os.waitpid(child, 0)[1] == 0\n"
        "print('done')\n"
    )
    environment = {**os.environ, "OSSIA_BACKEND": "cffi", "OSSIA_ONEDNN": "all"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, env=environment, check=False
    )
    assert done.stdout == "done\n", done.stderr
