"""`tf.flags` and `tf.app.run`, in processes of their own: flags are global, and `run` exits."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from ossia_program import app, flags
F = flags.FLAGS
flags.DEFINE_string("name", "def", "doc")
flags.DEFINE_integer(flag_name="n", default_value=3, docstring="doc")
flags.DEFINE_float("lr", 0.1, "doc")
flags.DEFINE_bool("b", False, "doc")
flags.DEFINE_boolean("c", True, "doc")
flags.DEFINE_list("l", ["a", "b"], "doc")
flags.DEFINE_enum("e", "x", ["x", "y"], "doc")
flags.DEFINE_multi_integer("mi", [1], "doc")
flags.DEFINE_string("log_dir", "/logs", "doc")
"""
RUN = """
def main(argv):
    print(argv[1:], F.name, F.n, F.lr, F.b, F.c, F.l, F.e, F.mi, F.log_dir)
    return {result}
def other(argv):
    print("other", argv)
app.run({arguments})
"""


def run(code, *arguments):
    return subprocess.run([sys.executable, "-c", PROGRAM + code, *arguments], capture_output=True, text=True)


@pytest.mark.parametrize(
    "arguments,printed",
    [
        ([], "[] def 3 0.1 False True ['a', 'b'] x [1] /logs"),
        (
            ["--n=4", "--unk=1", "pos1", "--name=z", "pos2", "--nob", "--", "--x"],
            "['--unk=1', 'pos1', 'pos2', '--', '--x'] z 4 0.1 False True ['a', 'b'] x [1] /logs",
        ),
        (["--l=1,2", "--mi=4", "--mi=5", "--b", "--noc", "--lr", "0.5", "-n", "8"],
        "[] def 8 0.5 True False ['1', '2'] x [4, 5] /logs"),
        (["--alsologtostderr", "--e=y", "--log_dir=d"], "[] def 3 0.1 False True ['a', 'b'] y [1] d"),
    ],
    ids=str,
)  # fmt: skip
def test_run(arguments, printed):
    done = run(RUN.format(arguments="", result=None), *arguments)
    assert (done.returncode, done.stdout.strip()) == (0, printed), done.stderr


def test_run_with_arguments():
    assert run(RUN.format(arguments="", result=3)).returncode == 3
    assert (
        run(RUN.format(arguments="other, ['prog', '--n=4', 'x']", result=0), "--n=5").stdout == "other ['prog', 'x']\n"
    )
    assert run(RUN.format(arguments="main=other", result=0), "q").stdout == "other ['-c', 'q']\n"


@pytest.mark.parametrize("argument", ["--n=x", "--e=z"])
def test_illegal_values(argument):
    done = run(RUN.format(arguments="", result=None), argument)
    assert done.returncode == 1 and "IllegalFlagValueError" in done.stderr


def test_values_are_parsed_at_first_use():
    code = """
assert "n" in F and F["n"].default == 3 and not F.is_parsed()
assert (F.name, F.n, F.b, F.log_dir) == ("foo", 5, True, "/logs")
assert F.is_parsed() and F.flag_values_dict()["n"] == 5 and F.__flags["n"].value == 5
F.n = 9
assert F.n == 9
del F.name
for name in "name", "none":
    try:
        getattr(F, name)
    except AttributeError:
        pass
    else:
        raise AssertionError(name)
assert F(["x", "--n=7", "pos"]) == ["x", "pos"] and F.n == 7
"""
    done = run(code, "--n=5", "--name", "foo", "--b")
    assert done.returncode == 0, done.stderr


def test_unknown_flags_at_first_use():
    code = """
try:
    F.n
except flags.Error as error:
    print(type(error).__name__)
F._parse_flags()
assert F.n == 5
"""
    done = run(code, "--n=5", "--unknown=1")
    assert (done.returncode, done.stdout) == (0, "UnrecognizedFlagError\n"), done.stderr


def test_help_lists_the_programs_flags():
    done = run(RUN.format(arguments="", result=None), "--help")
    assert done.returncode == 1 and "--log_dir: doc" in done.stdout and "--[no]b: doc" in done.stdout


def test_absl_is_imported_when_needed():
    code = "import sys, ossia_program.flags, ossia_program.app; assert 'absl' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names_of_absl():
    from absl import flags as absl_flags

    from ossia_program import flags

    assert flags.DEFINE_enum is absl_flags.DEFINE_enum and flags.FlagValues is not absl_flags.FlagValues
    assert "mark_flag_as_required" in dir(flags)
    with pytest.raises(AttributeError):
        flags.DEFINE_foo  # noqa: B018
