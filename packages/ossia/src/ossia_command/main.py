"""The command line of `ossia`."""

from __future__ import annotations

import argparse
import sys

from ossia_command import inventory, script


def main(arguments: list[str] | None = None) -> int:
    """Runs the command.

    Args:
        arguments: The command line without the program's name; that of the process by default.

    Returns:
        The exit status.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["run"] and len(arguments) > 1 and not arguments[1].startswith("-"):
        return script.run(arguments[1], arguments[2:])
    options = _parser().parse_args(arguments)
    if options.version:
        print(inventory.version())
    elif options.command == "plugins":
        inventory.show(every_op=options.ops)
    else:
        _parser().print_help()
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ossia", description="TensorFlow 1 programs, playable again.")
    parser.add_argument("--version", action="store_true", help="print the versions and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    run = commands.add_parser("run", help="run a TensorFlow 1 script", usage="ossia run SCRIPT [ARGUMENT ...]",
                              description="Run an unmodified TensorFlow 1 script: `import tensorflow` gives Ossia.")
    run.add_argument("script", metavar="SCRIPT", help="the script; what follows are its own arguments")
    plugins = commands.add_parser("plugins", help="show what is installed, and which backend runs which op")
    plugins.add_argument("--ops", action="store_true", help="list every op")
    return parser


if __name__ == "__main__":
    sys.exit(main())
