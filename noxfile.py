"""Every check: `nox` runs the default ones, `nox -l` lists them, `nox -s "tests(core)"` tests one package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nox

ROOT = Path(__file__).parent
FOLDERS = {path.parent.name: path.parent for path in sorted(ROOT.glob("packages/*/pyproject.toml"))}
DISTRIBUTIONS = {
    nox.project.load_toml(folder / "pyproject.toml")["project"]["name"]: name for name, folder in FOLDERS.items()
}
ON_EVERY_PYTHON = ("core", "ops", "checkpoint")


def runs(version: str) -> bool:
    """Whether this interpreter is installed (pyenv's shims exist also where they do not run)."""
    python = shutil.which(f"python{version}")
    return bool(python) and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0


if shutil.which("pyenv"):
    installed = subprocess.run(["pyenv", "versions", "--bare"], capture_output=True, text=True).stdout.split()
    os.environ["PYENV_VERSION"] = ":".join(version for version in reversed(installed) if version.startswith("3.1"))
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"
MAIN = "3.11" if runs("3.11") else THIS
OTHERS = [version for version in ("3.10", "3.12", "3.13") if version != MAIN and runs(version)]

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each program that a test starts compiles every module anew

nox.needs_version = ">=2024.4.15"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["lint", "api", "types", "tests", "whole", "docs", "examples", "pythons"]


def declared(folder: Path, *extras: str) -> list[str]:
    """The requirements that a package declares."""
    project = nox.project.load_toml(folder / "pyproject.toml")["project"]
    return project["dependencies"] + [
        line for extra in extras for line in project.get("optional-dependencies", {}).get(extra, [])
    ]


def closure(names: list[str], *extras: str) -> list[str]:
    """These packages and the siblings that they need, themselves included."""
    found: list[str] = []
    waiting = [(name, extras) for name in names]
    while waiting:
        name, wanted = waiting.pop(0)
        if name not in found:
            found.append(name)
        for requirement in declared(FOLDERS[name], *wanted):
            sibling = DISTRIBUTIONS.get(requirement.split()[0].split("[")[0])
            if sibling and sibling not in found:
                waiting.append((sibling, ()))
    return found


def install(
    session: nox.Session, *names: str, others: tuple[str, ...] = (), options: tuple[str, ...] = (), native: bool = True
) -> None:
    """Installs these packages for their tests, from the repository, with what they declare and nothing else.

    With `native=False` nothing is compiled, for sessions that need no C backend; a module built before stays.
    """
    editable = [
        part for name in closure(list(names), "test") for part in ("-e", f"packages/{name}{'[test]' * (name in names)}")
    ]
    session.install(
        *options, *editable, "pytest-xdist", *others, env=None if native else {"CC": "false", "CXX": "false"}
    )


def pytest(session: nox.Session, *arguments: str) -> None:
    """Runs pytest on all processors; the cases listed as waiting for missing ops must fail."""
    session.run("pytest", "-n", "auto", "--dist", "worksteal", "--ossia-xfails=tests/known_missing.txt", *arguments,
                *session.posargs)


@nox.session(python=MAIN)
@nox.parametrize("package", [nox.param(name, id=name) for name in FOLDERS])
def tests(session: nox.Session, package: str) -> None:
    """The tests of one package, alone with what it declares."""
    install(session, package)
    pytest(session, f"packages/{package}/tests")


@nox.session
@nox.parametrize(
    "python,package", [nox.param(python, name, id=f"{name}-{python}") for python in OTHERS for name in ON_EVERY_PYTHON]
)
def pythons(session: nox.Session, package: str) -> None:
    """The tests of the basic packages on the other Python versions that are installed, but for tables of all ops."""
    install(session, package)
    pytest(session, f"packages/{package}/tests", "--ignore-glob=*/test_op_table.py")


@nox.session(python=MAIN)
@nox.parametrize("package", [nox.param(name, id=name) for name in FOLDERS])
def oldest(session: nox.Session, package: str) -> None:
    """The tests of one package with the oldest versions of what it declares."""
    install(session, package, options=("--resolution", "lowest-direct"))
    pytest(session, f"packages/{package}/tests")


@nox.session(python=MAIN)
def whole(session: nox.Session) -> None:
    """What crosses packages: whole programs, interoperability, layering."""
    install(session, *FOLDERS)
    pytest(session, "tests", "--ignore=tests/test_docs.py")


@nox.session(python=MAIN)
def docs(session: nox.Session) -> None:
    """Runs every code block of the documentation and of the READMEs."""
    install(session, *FOLDERS)
    pytest(session, "tests/test_docs.py")


@nox.session(python=MAIN)
def examples(session: nox.Session) -> None:
    """Installs the sample distributions as their authors would; the test kit tries what they register."""
    folders = [path.parent for path in sorted(ROOT.glob("docs/examples/*/pyproject.toml"))]
    install(session, *FOLDERS, others=tuple(map(str, folders)), native=False)
    packages = ",".join(folder.name.replace("-", "_") for folder in folders)
    kit = ("-p", "no:cacheprovider", "--pyargs", "ossia_testkit")
    pytest(session, *kit, f"--ossia-package={packages}")
    pytest(session, *kit, "--ossia-backend=blocks", "--ossia-op=Maximum,LeakyRelu,Sum,Softmax")
    pytest(session, "tests/test_docs.py", *[str(path) for path in ROOT.glob("docs/examples/*/tests")], "-k", "examples")


@nox.session(python=MAIN)
def lint(session: nox.Session) -> None:
    """Ruff."""
    session.install("ruff")
    session.run("ruff", "check", *session.posargs, ".")


@nox.session(python=MAIN)
def types(session: nox.Session) -> None:
    """Mypy over every package."""
    install(session, *FOLDERS, others=("mypy",), native=False)
    packages = [path.parent.name for path in sorted(ROOT.glob("packages/*/src/*/__init__.py"))]
    session.run("mypy", *(part for package in packages for part in ("-p", package)), *session.posargs)


@nox.session(python=MAIN)
def api(session: nox.Session) -> None:
    """Are the tables and stubs of the public API current? `nox -s api -- write` writes them."""
    install(session, *FOLDERS, native=False)
    check = () if "write" in session.posargs else ("--check",)
    tables = sorted(str(path.parents[2]) for path in ROOT.glob("packages/*/src/*/_tables.txt"))
    session.run("python", "-m", "ossia_core.plugins.api_table", *tables, *check)
    session.run("python", "tools/api_stubs.py", "packages", *check)


@nox.session(python=MAIN)
def site(session: nox.Session) -> None:
    """Builds the documentation with a reference of every public name into dist/site."""
    install(session, *FOLDERS, others=("mkdocs-material", "griffe"), native=False)
    session.run("python", "tools/site_pages.py", ".cache/site")
    session.run("mkdocs", "build", "--quiet", *session.posargs)


@nox.session(python=MAIN)
def faults(session: nox.Session) -> None:
    """Injected faults, in their long form: failing and torn writes, kills, full disks, memory errors."""
    install(session, *FOLDERS, others=tuple(declared(FOLDERS["distribute"], "ray")))
    pytest(session, "-m", "faults", "packages", "tests")


@nox.session(python=MAIN)
def onednn(session: nox.Session) -> None:
    """The C backend with its extra: what oneDNN computes, where it is faster."""
    install(session, "backend-cffi", others=tuple(declared(FOLDERS["backend-cffi"], "onednn")))
    pytest(session, "-m", "onednn", "packages/backend-cffi/tests")


@nox.session(python=MAIN)
def fuzz(session: nox.Session) -> None:
    """Random and hostile input to every parser and op, in its long form: `OSSIA_FUZZ_SECONDS` for each."""
    install(session, *FOLDERS)
    pytest(session, "-m", "fuzz", "packages", "tests")


@nox.session(python=MAIN)
def bench(session: nox.Session) -> None:
    """The benchmarks; `OSSIA_ORACLES` names Python interpreters with TensorFlow to compare with."""
    install(session, *FOLDERS)
    for program in sorted(ROOT.glob("benchmarks/*.py")):
        session.run("python", str(program), *session.posargs)


@nox.session(python=MAIN)
def coverage_ops(session: nox.Session) -> None:
    """Prints how many ops of TensorFlow 1.15 there are, with kernel, gradient, samples and golden graphs."""
    install(session, *FOLDERS)
    session.run("python", "tools/coverage_ops.py", *session.posargs)


@nox.session(python=False)
def size(session: nox.Session) -> None:
    """Prints the bytes of each package, and with `-- --lines` the lines of its modules."""
    session.run(sys.executable, "tools/size.py", *session.posargs)


@nox.session(python=False)
def golden(session: nox.Session) -> None:
    """Records the golden values anew with TensorFlow 1.15, whose interpreter `OSSIA_TF115_PYTHON` names."""
    for cases in sorted([*ROOT.glob("tests/golden/*_cases.py"), *ROOT.glob("packages/*/tests/golden/*_cases.py")]):
        session.run(os.environ["OSSIA_TF115_PYTHON"], "tools/record_golden.py", str(cases), external=True)
