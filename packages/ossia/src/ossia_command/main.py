"""The command line of `ossia`."""

from __future__ import annotations

import importlib
import sys

import click

from ossia_command import inventory

_LATE = {  # where commands stand that are loaded when they are asked for
    "inspect": "inspection:inspect",
    "export": "exporting:export",
    "import": "importing:import_",
    "diff": "difference:diff",
    "convert-checkpoint": "conversion:convert_checkpoint",
    "saved-model": "saved_model_run:saved_model",
    "graph": "graph_command:graph",
    "cluster": "cluster:cluster",
    "lite": "lite_command:lite",
}


class _Commands(click.Group):
    """The commands; most are imported by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *_LATE]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _LATE:
            return super().get_command(ctx, cmd_name)
        module, name = _LATE[cmd_name].split(":")
        return getattr(importlib.import_module(f"ossia_command.{module}"), name)


class _Run(click.Command):
    """A command that leaves what stands behind the program to the program."""

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        program = "(SCRIPT | FOLDER | NOTEBOOK | -m MODULE | -c TEXT | -)"
        return [f"[--strict | --check] [--progress] {program} [ARGUMENT ...]"]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = 0
        while own < len(args) and args[own] in ("--strict", "--check", "--progress", "--help"):
            own += 1
        if own < len(args) and (args[own] in ("-", "-m", "-c") or not args[own].startswith("-")):
            args = [*args[:own], "--", *args[own:]]
        return super().parse_args(ctx, args)


def _print_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(inventory.version())
        context.exit()


@click.group(cls=_Commands, invoke_without_command=True)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the versions."
)
@click.pass_context
def cli(context: click.Context) -> None:
    """TensorFlow 1 programs, playable again."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        context.exit(2)


@cli.command("run", cls=_Run, short_help="run a TensorFlow 1 script")
@click.option("--strict", is_flag=True, help="Leave NumPy as it is, without its old names.")
@click.option("--check", "only_check", is_flag=True, help="Do not run it: list the names that do not resolve.")
@click.option("--progress", "shows_progress", is_flag=True, help="Draw how far training is, where there is a terminal.")
@click.argument("program", nargs=-1, required=True, metavar="SCRIPT", type=click.UNPROCESSED)
@click.pass_context
def _run(
    context: click.Context, strict: bool, only_check: bool, shows_progress: bool, program: tuple[str, ...]
) -> None:
    """Run an unmodified TensorFlow 1 program: `import tensorflow` gives Ossia.

    What follows the SCRIPT are its own arguments.
    """
    if only_check:
        from ossia_command import check

        if len(program) != 1:
            raise click.UsageError("--check takes one SCRIPT")
        context.exit(check.check(program[0]))
    if shows_progress:
        from ossia_command import progress

        progress.show()
    from ossia_command import program as running

    context.exit(running.run(list(program), strict=strict))


@cli.command("plugins", short_help="show what is installed, and which backend runs which op")
@click.argument("kind", required=False, metavar="[KIND]")
@click.option("--ops", is_flag=True, help="List every op with the backends that run it.")
def _plugins(kind: str | None, ops: bool) -> None:
    """Show the plugins, or what they provide of one KIND, such as optimizers or checkpoint-formats."""
    if kind is None:
        inventory.show(every_op=ops)
        return
    asked = kind.replace("-", "_")
    if asked not in inventory.kinds():
        raise click.BadParameter(f"{kind!r} is none of {', '.join(inventory.kinds())}", param_hint="KIND")
    inventory.show_kind(asked)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command.

    Args:
        arguments: The command line without the program's name; that of the process by default.

    Returns:
        The exit status: 0; 1 where a file cannot be read or two differ; 2 where the command line is wrong; that of the
        program that was run.

    Raises:
        SystemExit: The program that was run raised it.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = cli.main(arguments, prog_name="ossia", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return 130
    except Exception as error:
        if arguments[:1] == ["run"] or not _is_of_files(error):
            raise
        click.echo(f"ossia {arguments[0]}: {error}", err=True)
        return 1
    return status if isinstance(status, int) else 0


def _is_of_files(error: Exception) -> bool:
    """Whether an error says what is wrong with a file, rather than with the command."""
    from ossia_core.names.errors import OpError

    return isinstance(error, (OSError, ValueError, KeyError, OpError))


if __name__ == "__main__":
    sys.exit(main())
