"""`ossia run`: a script behaves as under `python`, and `tensorflow` is Ossia."""

import json
import subprocess
import sys
import textwrap

import pytest


def python(*arguments, cwd):
    return subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture
def run(tmp_path):
    """Runs a script, by `ossia run` or another command."""

    def run_script(text, *arguments, command=("-m", "ossia_command.main", "run")):
        (tmp_path / "program").mkdir(exist_ok=True)
        script = tmp_path / "program" / "train.py"
        script.write_text(textwrap.dedent(text))
        return python(*command, str(script), *arguments, cwd=tmp_path)

    return run_script


def test_as_python_does(run):
    text = """
        '''The docstring.'''
        import os, pickle, sys
        class Here: pass
        print(sys.argv[1:], sys.argv[0] == __file__, sys.path[0] == os.path.dirname(os.path.realpath(__file__)))
        print(os.getcwd(), __name__, __doc__, __spec__, sys.modules["__main__"].Here is Here)
        print(type(pickle.loads(pickle.dumps(Here()))) is Here, sorted(name for name in globals() if name[0] == "_"))
        """
    arguments = ("--steps", "3", "--", "-x", "run", "--version", "--help")
    ours, pythons = run(text, *arguments), run(text, *arguments, command=())
    assert ours.stderr == pythons.stderr == ""
    assert ours.stdout.splitlines()[:2] == pythons.stdout.splitlines()[:2]
    assert ours.stdout.splitlines()[2].startswith("True ") and pythons.stdout.splitlines()[2].startswith("True ")


def test_neighbours_can_be_imported(run, tmp_path):
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "model.py").write_text("import tensorflow as tf\nname = tf.__name__")
    assert run("import model; print(model.name)").stdout == "ossia\n"


@pytest.mark.parametrize(
    ("ending", "code"),
    [("", 0), ("exit(3)", 3), ("exit('bad')", 1), ("1 / 0", 1), ("import os; os._exit(9)", 9)],
    ids=["end", "number", "text", "exception", "at-once"],
)
def test_exit_status(run, ending, code):
    done = run(f"print('started', flush=True)\n{ending}")
    assert (done.returncode, done.stdout) == (code, "started\n")


@pytest.mark.parametrize(
    "text",
    [
        "def train():\n    return 1 / 0\ntrain()",
        "import json\njson.loads('{')",
        "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise ValueError('again') from error",
        "def f(:\n    pass",
        "raise KeyboardInterrupt",
    ],
    ids=["own", "below", "chained", "syntax", "interrupt"],
)
def test_tracebacks_are_pythons(run, text):
    ours, pythons = run(text), run(text, command=())
    assert ours.stderr == pythons.stderr
    assert ours.returncode == (130 if "Interrupt" in text else pythons.returncode)


def test_no_script(tmp_path):
    done = python("-m", "ossia_command.main", "run", "absent.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "ossia run: can't open 'absent.py': No such file or directory\n")


def test_encoding_cookie(tmp_path):
    (tmp_path / "latin.py").write_bytes("# -*- coding: latin-1 -*-\nprint(ascii('é'))\n".encode("latin-1"))
    assert python("-m", "ossia_command.main", "run", "latin.py", cwd=tmp_path).stdout == "'\\xe9'\n"


def test_a_session(run):
    done = run("""
        import tensorflow as tf
        import tensorflow.compat.v1 as tf1
        assert tf1.Session is tf.Session and tf.__version__.startswith("1.15")
        with tf.Session() as session:
            print(session.run(tf.constant(3.0)))
        """)
    assert (done.stdout, done.stderr) == ("3.0\n", "")


def test_flags_and_app(run):
    done = run("""
        import tensorflow as tf
        tf.app.flags.DEFINE_integer("steps", 5, "how many")
        def main(argv):
            print(tf.app.flags.FLAGS.steps, len(argv))
            return 4
        tf.app.run()
        """, "--steps=7", "rest")
    assert (done.stdout, done.stderr, done.returncode) == ("7 2\n", "", 4)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_started_afresh(run, method):
    done = run(
        f"""
        import multiprocessing
        import tensorflow as tf

        def double(x):
            with tf.Session() as session:
                return tf.__name__, session.run(tf.constant(x) * 2).item()

        if __name__ == "__main__":
            with multiprocessing.get_context({method!r}).Pool(1) as pool:
                print(pool.map(double, [1, 2]))
        """
    )
    assert (done.stdout, done.stderr) == ("[('ossia', 2), ('ossia', 4)]\n", "")


def ossia(*arguments, cwd, **options):
    return subprocess.run(
        [sys.executable, "-m", "ossia", *arguments], cwd=cwd, capture_output=True, text=True, check=False, **options
    )


def test_modules_folders_texts_and_standard_input(tmp_path):
    (tmp_path / "trainer").mkdir()
    (tmp_path / "trainer" / "__init__.py").touch()
    (tmp_path / "trainer" / "data.py").write_text("import tensorflow as tf\nname = tf.__name__")
    (tmp_path / "trainer" / "task.py").write_text(
        "import sys\nfrom . import data\nprint(data.name, __name__, sys.argv[1:])"
    )
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "near.py").write_text("value = 3")
    (tmp_path / "program" / "__main__.py").write_text("import sys, near\nprint(near.value, sys.argv)")
    assert ossia("run", "-m", "trainer.task", "--x", cwd=tmp_path).stdout == "ossia __main__ ['--x']\n"
    assert ossia("run", "program", "1", cwd=tmp_path).stdout == "3 ['program', '1']\n"
    text = "import sys, tensorflow; print(tensorflow.__name__, sys.argv)"
    assert ossia("run", "-c", text, "a", cwd=tmp_path).stdout == "ossia ['-c', 'a']\n"
    assert ossia("run", "-", "b", cwd=tmp_path, input=text).stdout == "ossia ['-', 'b']\n"
    done = ossia("run", "-m", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "ossia run: argument expected for the -m option\n")


def test_traceback_of_a_module_begins_with_the_module(tmp_path):
    (tmp_path / "task.py").write_text("1 / 0")
    lines = ossia("run", "-m", "task", cwd=tmp_path).stderr.splitlines()
    assert lines[0].startswith("Traceback") and "task.py" in lines[1] and lines[-1].startswith("ZeroDivisionError")


def test_python_processes_that_a_program_starts(run, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import builtins; builtins.greeting = 'mine'")
    done = run(f"""
        import os, subprocess, sys
        os.environ["PYTHONPATH"] += os.pathsep + {str(tmp_path)!r}
        text = "import tensorflow as tf, numpy as np; print(tf.__name__, np.int is int, greeting)"
        print(subprocess.run([sys.executable, "-c", text], capture_output=True, text=True).stdout)
        """)
    assert (done.stdout.strip(), done.stderr) == ("ossia True mine", "")


OLD_NUMPY = """
    import numpy as np
    a = np.zeros((2, 2))
    a.itemset((0, 1), 5)
    a.itemset(3, 7)
    print([np.float32(0.5)], np.float is float, np.product([2, 3]), np.asscalar(np.array([4])), a.tolist(), a.ptp())
    print(np.float32(1).tostring(), np.array([1], np.bool).tostring(), np.cast["int32"]([1.5]).tolist(), np.NaN)
    np.save("objects.npy", np.array([{"a": 1}], np.object), allow_pickle=True)
    print(np.load("objects.npy")[0], hasattr(np, "no_such"))
    """


def test_names_of_the_first_numpy(run):
    done = run(OLD_NUMPY)
    assert done.stdout.splitlines() == [
        "[0.5] True 6 4 [[0.0, 5.0], [0.0, 7.0]] 7.0",
        r"b'\x00\x00\x80?' b'\x01' [1] nan",
        "{'a': 1} False",
    ]
    assert done.stderr.count("\n") == 1 and "older NumPy" in done.stderr and "--strict" in done.stderr


def test_strict_leaves_numpy_as_it_is(tmp_path):
    (tmp_path / "train.py").write_text("import numpy as np\nprint([np.float32(0.5)])\nnp.float")
    done = ossia("run", "--strict", "train.py", cwd=tmp_path)
    assert done.stdout == "[np.float32(0.5)]\n" and "AttributeError" in done.stderr and done.returncode == 1


def test_notebooks(tmp_path):
    cells = ["%matplotlib inline\nimport tensorflow as tf\n!ls\ntf.Session?", "%%bash\nls", "print(tf.__name__)\n1 / 0"]
    notebook = {"cells": [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]}
    (tmp_path / "train.ipynb").write_text(json.dumps(notebook))
    done = ossia("run", "train.ipynb", cwd=tmp_path)
    assert done.stdout == "ossia\n" and "train.ipynb[3]\", line 2" in done.stderr
    (tmp_path / "train.ipynb").write_text("[]")
    assert "no notebook" in ossia("run", "train.ipynb", cwd=tmp_path).stderr


@pytest.mark.parametrize(
    "line",
    [
        'print "step", 3', "except ValueError, error:", 'raise ValueError, "bad"', "x = 0777", "if 1 <> 2: pass",
        "y = 10L",
    ],
)
def test_python_2(tmp_path, line):
    body = f"try:\n    pass\n{line}\n    pass\n" if line.startswith("except") else f"x = 1\n{line}\n"
    (tmp_path / "train.py").write_text(body)
    done = ossia("run", "train.py", cwd=tmp_path)
    assert done.returncode == 1 and "is Python 2" in done.stderr and "2to3" in done.stderr


def test_other_syntax_errors_are_no_python_2(tmp_path):
    (tmp_path / "train.py").write_text("def f(:\n    pass")
    assert "2to3" not in ossia("run", "train.py", cwd=tmp_path).stderr


def test_check_lists_what_does_not_resolve(tmp_path):
    (tmp_path / "train.py").write_text(
        "import tensorflow as tf\nfrom tensorflow.python.framework import ops\nlayers = tf.layers\n"
        "layers.dense, ops.Graph, tf.train.AdamOptimizer\nlayers.no_such(tf.no_such.inner)\ntf.no_such\n"
    )
    done = ossia("run", "--check", "train.py", cwd=tmp_path)
    assert done.returncode == 1
    assert [line.partition(": no such")[0] for line in done.stdout.splitlines()] == [
        "train.py:5: tf.layers.no_such", "train.py:5: tf.no_such",
    ]
    (tmp_path / "train.py").write_text("import tensorflow as tf\ntf.Session")
    done = ossia("run", "--check", "train.py", cwd=tmp_path)
    assert done.returncode == 0 and "every name" in done.stdout


def test_importing_contrib_waits_for_no_table(run):
    done = run("""
        import sys
        import tensorflow as tf
        import tensorflow.contrib
        print("ossia_core.plugins.registry" in sys.modules)
        print(tf.contrib is tensorflow.contrib, "layers" in dir(tf.contrib), tf.contrib.layers.__name__)
        """)
    assert done.stdout == "False\nTrue True ossia.contrib.layers\n", done.stderr


def test_names_and_orders_of_before_1_0(run):
    done = run("""
        import tensorflow as tf
        x = tf.placeholder("float", [2, 3])
        print(tf.concat(1, [x, x]).shape, tf.split(1, 3, x)[0].shape, tf.mul(x, x).shape, tf.mul(x, x).shape)
        print(tf.nn.softmax_cross_entropy_with_logits(x, x).shape, tf.reverse(x, [False, True]).shape)
        print(tf.image.resize_images(tf.ones([2, 2, 3]), 4, 5).shape)
        print(tf.nn.softmax(x, "activation").name)
        print(tf.nn.nce_loss(tf.ones([5, 3]), tf.ones([5]), x, tf.ones([2, 1], tf.int64), 2, 5).shape)
        cells, state = tf.nn.rnn(tf.nn.rnn_cell.GRUCell(4), [x], dtype=tf.float32)
        print(cells[0].shape, tf.nn.seq2seq.rnn_decoder.__name__, tf.batch_matrix_inverse.__name__)
        """)
    assert done.stdout.splitlines() == [
        "(2, 6) (2, 1) (2, 3) (2, 3)", "(2,) (2, 3)", "(4, 5, 3)", "activation:0", "(2,)",
        "(2, 4) rnn_decoder matrix_inverse",
    ]
    told = [line.partition(": tf.")[2].split(" is of")[0] for line in done.stderr.splitlines() if "0.x" in line]
    assert told == [
        "concat", "split", "mul", "nn.softmax_cross_entropy_with_logits", "reverse", "image.resize_images",
        "nn.softmax", "nn.nce_loss", "nn.rnn", "nn.seq2seq", "batch_matrix_inverse",
    ]


def test_programs_that_ask_for_older_names_get_the_newer_ones(run):
    done = run("""
        import tensorflow as tf
        try:
            summary = tf.image_summary
        except AttributeError:
            summary = tf.summary.image
        print(summary is tf.summary.image, hasattr(tf, "pack"), getattr(tf, "mul", None))
        """)
    assert (done.stdout, done.stderr) == ("True False None\n", "")


def test_the_first_use_of_what_goes_is_told(run, tmp_path):
    done = run("""
        import tensorflow as tf
        x = tf.placeholder(tf.float32, [2, 3])
        for _ in range(2):
            tf.to_float(x), tf.reduce_sum(x, keep_dims=True), tf.nn.dropout(x, 0.5), tf.nn.rnn_cell.GRUCell(3)
        tf.data.Dataset.range(3).make_one_shot_iterator()
        tf.layers.dense(x, 3), tf.reduce_sum(x, keepdims=True), tf.train.AdamOptimizer()
        """)
    place = f"WARNING:tensorflow:From {tmp_path}/program/train.py"
    lines = [line.partition(" is deprecated")[0] for line in done.stderr.splitlines() if "WARNING" in line]
    assert lines == [
        f"{place}:5: to_float (from tensorflow.python.ops.math_ops)",
        f"{place}:5: calling reduce_sum_v1 (from tensorflow.python.ops.math_ops) with keep_dims",
        f"{place}:5: calling dropout (from tensorflow.python.ops.nn_ops) with keep_prob",
        f"{place}:5: GRUCell.__init__ (from tensorflow.python.ops.rnn_cell_impl)",
        f"{place}:6: DatasetV1.make_one_shot_iterator (from tensorflow.python.data.ops.dataset_ops)",
        f"{place}:7: dense (from tensorflow.python.layers.core)",
    ]
    assert "Instructions for updating:\nUse `tf.cast` instead.\n" in done.stderr


def test_eager_execution_says_what_to_do(run):
    done = run("import tensorflow as tf\ntf.enable_eager_execution()")
    assert done.returncode == 1 and "tf.Session" in done.stderr.splitlines()[-1]
