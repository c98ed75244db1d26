"""Versions, folders and the names that builds of extensions ask for."""

import os

import pytest

from ossia_core.names import version
from ossia_program import resource_loader, sysconfig


def test_versions():
    assert version.VERSION == "1.15.5"
    assert (
        version.GRAPH_DEF_VERSION,
        version.GRAPH_DEF_VERSION_MIN_CONSUMER,
        version.GRAPH_DEF_VERSION_MIN_PRODUCER,
    ) == (134, 0, 0)
    assert isinstance(version.GIT_VERSION, str) and isinstance(version.COMPILER_VERSION, str)


def test_files_beside_the_caller():
    folder = os.path.dirname(os.path.abspath(__file__))
    assert resource_loader.get_data_files_path() == folder
    assert resource_loader.get_path_to_datafile("x") == os.path.join(folder, "x")
    assert resource_loader.readahead_file_path("x", "y") == "x"


def test_files_of_the_package():
    assert os.path.isdir(resource_loader.get_root_dir_with_all_resources())
    assert resource_loader.load_resource("config.py").startswith(b'"""')
    with pytest.raises(FileNotFoundError):
        resource_loader.load_resource("none")


def test_sysconfig():
    assert sysconfig.get_compile_flags()[0] == f"-I{sysconfig.get_include()}"
    assert sysconfig.get_link_flags() == [] and os.path.isdir(sysconfig.get_lib())
    assert (sysconfig.CXX11_ABI_FLAG, sysconfig.MONOLITHIC_BUILD) == (0, 0)
