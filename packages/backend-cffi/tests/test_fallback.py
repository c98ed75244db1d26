"""Without the native module everything still runs."""
from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from ossia_backend_cffi import loader

PROGRAM = """
import sys
{before}
import numpy as np
import ossia as tf
x = tf.placeholder(tf.float32, [None, 300])
w = tf.Variable(np.eye(300, dtype="f4"))
y = tf.nn.relu(tf.matmul(x, w, transpose_b=True)) + 1.0
with tf.Session() as session:
    session.run(w.initializer)
    got = session.run(y, {{x: np.ones((200, 300), "f4")}})
np.testing.assert_allclose(got, 2.0)
from ossia_backend_cffi import loader
print(loader.native() is not None)
"""


def run(before, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", PROGRAM.format(before=before)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )
    assert not done.returncode, done.stderr
    return done.stdout.split()


def test_without_the_native_module():
    assert run("sys.modules['ossia_backend_cffi._native'] = None")[0] == "False"


@pytest.mark.skipif(loader.native() is None, reason="built without a compiler")
def test_with_a_module_built_from_other_sources():
    assert (
        run(
            "from ossia_backend_cffi.program import instructions\ninstructions.SCHEMA = 'another'"
        )[0]
        == "False"
    )


def test_numpy_on_request():
    run("", OSSIA_BACKEND="numpy")


def test_products_agree_with_numpy():
    module = loader.native()
    if module is None:
        pytest.skip("built without a compiler")
    import ossia as tf
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [None, None])
        random = np.random.RandomState(0)
        for ta in (False, True):
            for tb in (False, True):
                y = tf.matmul(a, b, ta, tb) + 0.0
                for m, n, k in ((1, 1, 1), (3, 17, 5), (33, 47, 65), (4, 16, 0), (130, 10, 31)):
                    left = random.randn(*((k, m) if ta else (m, k))).astype("f4")
                    right = random.randn(*((n, k) if tb else (k, n))).astype("f4")
                    expected = (left.T if ta else left) @ (right.T if tb else right)
                    np.testing.assert_allclose(session.run(y, {a: left, b: right}), expected, rtol=1e-4, atol=1e-5)
