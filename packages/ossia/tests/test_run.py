"""`ossia run`: a script behaves as under `python`, and `tensorflow` is Ossia."""

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
