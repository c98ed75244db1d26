"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_io.paths import Copy as Copy
from ossia_io.paths import DeleteRecursively as DeleteRecursively
from ossia_io.paths import Exists as Exists
from ossia_io.gfile import FastGFile as FastGFile
from ossia_io.gfile import GFile as GFile
from ossia_io.paths import Glob as Glob
from ossia_io.paths import IsDirectory as IsDirectory
from ossia_io.paths import ListDirectory as ListDirectory
from ossia_io.paths import MakeDirs as MakeDirs
from ossia_io.paths import MkDir as MkDir
from ossia_io.gfile import GFile as _Open
Open = _Open
from ossia_io.paths import Remove as Remove
from ossia_io.paths import Rename as Rename
from ossia_io.paths import Stat as Stat
from ossia_io.paths import Walk as Walk
