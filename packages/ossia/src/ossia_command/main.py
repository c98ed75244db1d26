"""The command line of `ossia`."""

from __future__ import annotations

import argparse
import sys

from ossia_command import check, cluster, inventory, program


def main(arguments: list[str] | None = None) -> int:
    """Runs the command.

    Args:
        arguments: The command line without the program's name; that of the process by default.

    Returns:
        The exit status.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:2] == ["run", "--check"] and len(arguments) == 3:
        return check.check(arguments[2])
    if arguments[:1] == ["run"]:
        strict = arguments[1:2] == ["--strict"]
        rest = arguments[1 + strict :]
        if rest and (rest[0] in ("-", "-m", "-c") or not rest[0].startswith("-")):
            return program.run(rest, strict=strict)
    options = _parser().parse_args(arguments)
    if options.version:
        print(inventory.version())
    elif options.command == "plugins":
        if options.kind:
            inventory.show_kind(options.kind)
        else:
            inventory.show(every_op=options.ops)
    elif options.command == "cluster":
        return cluster.main(options)
    else:
        _parser().print_help()
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ossia", description="TensorFlow 1 programs, playable again.")
    parser.add_argument("--version", action="store_true", help="print the versions and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    run = commands.add_parser(
        "run", help="run a TensorFlow 1 script",
        usage="ossia run [--strict | --check] (SCRIPT | FOLDER | NOTEBOOK | -m MODULE | -c TEXT | -) [ARGUMENT ...]",
        description="Run an unmodified TensorFlow 1 program: `import tensorflow` gives Ossia.",
    )
    run.add_argument("--strict", action="store_true", help="leave NumPy as it is, without its old names")
    run.add_argument("--check", action="store_true", help="do not run it: list the names that do not resolve")
    run.add_argument("script", metavar="SCRIPT", help="the program; what follows are its own arguments")
    plugins = commands.add_parser("plugins", help="show what is installed, and which backend runs which op")
    plugins.add_argument(
        "kind", nargs="?", type=lambda text: text.replace("-", "_"), choices=inventory.kinds(), metavar="KIND",
        help=f"list what the plugins provide of one kind: {', '.join(inventory.kinds())}",
    )
    plugins.add_argument("--ops", action="store_true", help="list every op with the backends that run it")
    cluster.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
