"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_io.gfile import GFile as GFile
from ossia_io.paths import copy as copy
from ossia_io.paths import exists as exists
from ossia_io.paths import glob as glob
from ossia_io.paths import isdir as isdir
from ossia_io.paths import listdir as listdir
from ossia_io.paths import makedirs as makedirs
from ossia_io.paths import mkdir as mkdir
from ossia_io.paths import remove as remove
from ossia_io.paths import rename as rename
from ossia_io.paths import rmtree as rmtree
from ossia_io.paths import stat as stat
from ossia_io.paths import walk as walk
