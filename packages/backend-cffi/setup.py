"""Builds the native module where there is a compiler; without one the package installs, and declines all work."""
import os
import sys

from setuptools import setup

os.chdir(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.getcwd())
from build_ffi import ffi  # noqa: E402 - found beside this file only

extension = ffi.distutils_extension()
extension.optional = True
extension.py_limited_api = True
setup(ext_modules=[extension], options={"bdist_wheel": {"py_limited_api": "cp310"}})
