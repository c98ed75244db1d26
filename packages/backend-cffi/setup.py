"""Builds the native module where there is a compiler; without one the package installs, and declines all work."""
import hashlib
import os
import shutil
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext

os.chdir(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.getcwd())
from build_ffi import ffi  # noqa: E402 - found beside this file only

BUILT = Path("src/ossia_backend_cffi/_native.abi3.so")
RECORD = Path("build/native_module.sha256")  # of what BUILT was made from, and of BUILT
SETTINGS = ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "LDSHARED", "ARCHFLAGS")


def digest(extension):
    """What the module in the source tree was made from, and the module itself: the same digest, the same module."""
    found = hashlib.sha256(repr([os.environ.get(name) for name in SETTINGS]).encode())
    found.update(sysconfig.get_platform().encode())
    for path in sorted({*extension.sources, *extension.depends, "build_ffi.py", "setup.py", str(BUILT)}):
        found.update(path.encode() + Path(path).read_bytes())
    return found.hexdigest()


class NativeBuild(build_ext):
    """Compiles the C files side by side, the longest first; takes the module of the source tree where it is current.

    An editable install builds in a new temporary folder each time, so the build's own check of dates finds nothing.
    """

    def build_extension(self, ext):
        target = Path(self.get_ext_fullpath(ext.name))
        if not self.force and BUILT.exists() and RECORD.exists() and RECORD.read_text() == digest(ext):
            if target.resolve() != BUILT.resolve():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(BUILT, target)
            return
        compile_one_by_one = self.compiler.compile

        def compile_together(sources, **options):
            ordered = sorted(sources, key=os.path.getsize, reverse=True)
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                made = list(pool.map(lambda source: compile_one_by_one([source], **options), ordered))
            return [path for paths in made for path in paths]

        self.compiler.compile = compile_together
        try:
            super().build_extension(ext)
            self.made = True
        finally:
            self.compiler.compile = compile_one_by_one

    def run(self):
        self.made = False
        super().run()
        if self.made and BUILT.exists():
            RECORD.parent.mkdir(exist_ok=True)
            RECORD.write_text(digest(self.extensions[0]))


extension = ffi.distutils_extension()
extension.optional = True
extension.py_limited_api = True
setup(
    ext_modules=[extension],
    cmdclass={"build_ext": NativeBuild},
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
