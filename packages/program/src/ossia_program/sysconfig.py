"""`tf.sysconfig`: where a build of extensions looks; Ossia has no headers and no library to link with."""

from __future__ import annotations

from pathlib import Path

from ossia_core.plugins.api_table import public, public_value

CXX11_ABI_FLAG = 0
MONOLITHIC_BUILD = 0
for _name in "CXX11_ABI_FLAG", "MONOLITHIC_BUILD":
    public_value(_name, f"sysconfig.{_name}", f"__{_name.lower()}__", name=_name)

_FOLDER = Path(__file__).parent


@public("sysconfig.get_include")
def get_include() -> str:
    """Returns the folder where headers would be."""
    return str(_FOLDER / "include")


@public("sysconfig.get_lib")
def get_lib() -> str:
    """Returns the folder where the library would be."""
    return str(_FOLDER)


@public("sysconfig.get_compile_flags")
def get_compile_flags() -> list[str]:
    """Returns the compiler's flags."""
    return [f"-I{get_include()}", f"-D_GLIBCXX_USE_CXX11_ABI={CXX11_ABI_FLAG}"]


@public("sysconfig.get_link_flags")
def get_link_flags() -> list[str]:
    """Returns the linker's flags: none, since there is no library."""
    return []
