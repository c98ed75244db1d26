"""What core does where no package for functions is installed."""
import subprocess
import sys

import pytest

import ossia as tf
from ossia_core.declare.builders import functional

WITHOUT_FUNCTIONS = """
import sys
sys.modules["ossia_functions"] = None  # its import fails
import ossia as tf
v = tf.get_variable("v", initializer=[1.0, 2.0])
loss = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * tf.reduce_sum(v)), [0, 1.0])[1]
loss = tf.cond(loss > 0, lambda: loss * 2, lambda: -loss)
step = tf.train.AdamOptimizer(0.1).minimize(loss)
graph_def = tf.get_default_graph().as_graph_def()
tf.import_graph_def(graph_def, name="again")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(step)
    print(session.run(loss) < 54)
"""


def test_programs_without_functions_need_no_package_for_them():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", WITHOUT_FUNCTIONS], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_what_is_missing_says_what_to_install(monkeypatch):
    monkeypatch.setattr("ossia_core.plugins.manager.table", lambda hook: {})
    with pytest.raises(NotImplementedError, match=r"needs functions \(expansion\).*pip install ossia-functions"):
        functional.__wrapped__("expansion")


def test_a_plugin_provides_a_role(monkeypatch):
    monkeypatch.setattr("ossia_core.plugins.manager.table", lambda hook: {"cond": "builtins:print"})
    assert functional.__wrapped__("cond") is print
    assert tf.cond is not print
