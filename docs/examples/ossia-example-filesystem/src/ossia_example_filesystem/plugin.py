"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_filesystems():
    return {"memory": "ossia_example_filesystem.filesystem:FsspecFileSystem"}
