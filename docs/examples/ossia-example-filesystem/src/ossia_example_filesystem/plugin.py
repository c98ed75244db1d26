"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_filesystems():
    return {
        "memory": "ossia_example_filesystem.filesystem:FsspecFileSystem",
        "s3": "ossia_example_filesystem.filesystem:FsspecFileSystem",
        "gs": "ossia_example_filesystem.filesystem:FsspecFileSystem",
        "sftp": "ossia_example_filesystem.filesystem:FsspecFileSystem",
    }
