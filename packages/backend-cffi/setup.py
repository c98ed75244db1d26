"""Builds the native module where there is a compiler; without one the package installs, and declines all work."""
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from setuptools import setup
from setuptools.command.build_ext import build_ext

os.chdir(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.getcwd())
from build_ffi import ffi  # noqa: E402 - found beside this file only


class ParallelBuild(build_ext):
    """Compiles the C files of an extension side by side, on all processors, the longest first."""

    def build_extension(self, ext):
        compile_one_by_one = self.compiler.compile

        def compile_together(sources, **options):
            ordered = sorted(sources, key=os.path.getsize, reverse=True)
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                made = list(pool.map(lambda source: compile_one_by_one([source], **options), ordered))
            return [path for paths in made for path in paths]

        self.compiler.compile = compile_together
        try:
            super().build_extension(ext)
        finally:
            self.compiler.compile = compile_one_by_one


extension = ffi.distutils_extension()
extension.optional = True
extension.py_limited_api = True
setup(
    ext_modules=[extension],
    cmdclass={"build_ext": ParallelBuild},
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
