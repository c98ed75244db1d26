"""The tables and programs again with the C code built for AddressSanitizer and UndefinedBehaviourSanitizer; the pool of
threads, and programs that it shares, under ThreadSanitizer."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1"
# What the processor has besides what the build uses is left out: the widest registers are those of this machine.
INSTRUCTIONS = {"widest": "", "avx2": "-DOSSIA_AVX2", "portable": "-DOSSIA_PORTABLE"}

STORMS = {"pool": ["program/pool.c"], "layer_stages": ["program/pool.c", "products/layer_stages.c"]}


def build(tmp_path, flags, sanitizers):
    """Builds the package in a directory of its own."""
    for name in ("src", "setup.py", "build_ffi.py", "instruction_schema.py", "pyproject.toml", "README.md"):
        source = PACKAGE / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / name)
    for old in tmp_path.rglob("*.so"):
        old.unlink()
    # With -O3 the tiles, whose loops are unrolled, take a quarter of an hour to compile.
    options = tmp_path / "build_ffi.py"
    text = options.read_text()
    assert '"-O3"' in text
    options.write_text(text.replace('"-O3"', '"-O2"'))
    subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=tmp_path,
        env={**os.environ, "CFLAGS": flags, "LDFLAGS": f"-fsanitize={sanitizers}"},
        check=True,
        capture_output=True,
    )
    assert list(tmp_path.rglob("_native*.so"))


def run_tests(tmp_path, library, environment, tests, chosen="not memory"):
    """Runs tests with what was built there."""
    found = subprocess.run(["gcc", f"-print-file-name={library}"], capture_output=True, text=True, check=True)
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'src')!r}); import ossia_backend_cffi.loader as l; "
        f"assert l.__file__.startswith({str(tmp_path)!r}), l.__file__; assert l.native() is not None; import pytest; "
        f"sys.exit(pytest.main(['-q', '-x', '--capture=sys', '-p', 'no:cacheprovider', '-k', {chosen!r}, "
        "*sys.argv[1:]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *(str(PACKAGE / "tests" / name) for name in tests)],
        capture_output=True,
        text=True,
        check=False,
        cwd=PACKAGE,
        # The path is for the processes that tests start.
        env={
            **os.environ,
            "LD_PRELOAD": found.stdout.strip(),
            "PYTHONPATH": str(tmp_path / "src"),
            **environment,
        },
    )
    assert not done.returncode, done.stdout[-3000:] + done.stderr[-3000:]
    return done


@pytest.mark.faults
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("instructions", INSTRUCTIONS)
def test_under_sanitizers(tmp_path, instructions):
    build(tmp_path, f"{FLAGS} {INSTRUCTIONS[instructions]}", "address,undefined")
    options = "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024"
    run_tests(tmp_path, "libasan.so", {"ASAN_OPTIONS": options}, [""])


@pytest.mark.faults
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_programs_under_thread_sanitizer(tmp_path):
    """Loops that threads share by rows, and what else runs side by side, as their plans come out."""
    # The function that chooses among clones is called before it could call the sanitizer: without clones there is none.
    build(tmp_path, "-fsanitize=thread -g1 -DOSSIA_PORTABLE", "thread")
    # Python and NumPy are not built for it; how they lock is seen all the same.
    environment = {"TSAN_OPTIONS": "die_after_fork=0", "OPENBLAS_NUM_THREADS": "1"}
    tests = ["test_recurrence.py", "test_control.py", "test_threads.py", "test_images.py"]
    # Not what counts threads: the sanitizer has one of its own.
    done = run_tests(tmp_path, "libtsan.so", environment, tests, "not memory and not starts_none")
    assert "WARNING: ThreadSanitizer" not in done.stderr, done.stderr[:3000]


@pytest.mark.faults
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("flags", [["-fsanitize=thread"], []], ids=["tsan", "plain"])
@pytest.mark.parametrize("storm", STORMS)
def test_storm(tmp_path, storm, flags):
    sources = PACKAGE / "src" / "ossia_backend_cffi" / "c"
    program = tmp_path / "storm"
    subprocess.run(
        [
            "gcc", "-std=gnu11", "-O1", "-g", "-pthread", *flags, f"-I{sources}",
            *(str(sources / name) for name in STORMS[storm]),
            str(PACKAGE / "tests" / f"{storm}_storm.c"), "-o", str(program),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    environment = {**os.environ, "TSAN_OPTIONS": "die_after_fork=0"}  # the storm forks
    done = subprocess.run(
        [str(program)], capture_output=True, text=True, check=False, timeout=300, env=environment
    )
    assert not done.returncode, done.stdout + done.stderr
    assert "WARNING: ThreadSanitizer" not in done.stderr, done.stderr[:3000]
