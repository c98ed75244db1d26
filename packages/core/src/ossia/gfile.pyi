# Written by tools/api_stubs.py; do not edit.
from ossia_io.gfile import FastGFile as FastGFile, GFile as GFile, GFile as _Open
from ossia_io.paths import (
 Copy as Copy, DeleteRecursively as DeleteRecursively, Exists as Exists, Glob as Glob, IsDirectory as IsDirectory,
 ListDirectory as ListDirectory, MakeDirs as MakeDirs, MkDir as MkDir, Remove as Remove, Rename as Rename, Stat as Stat,
 Walk as Walk
)
Open = _Open
