# Written by tools/api_stubs.py; do not edit.
from ossia.gfile import GFile as GFile
from ossia.io.gfile import (
 copy as copy, exists as exists, glob as glob, isdir as isdir, listdir as listdir, makedirs as makedirs, mkdir as mkdir,
 remove as remove, rename as rename, rmtree as rmtree, stat as stat, walk as walk
)
