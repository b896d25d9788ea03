"""An option means the same in every command that has it."""

from collections.abc import Iterator

import click
import pytest

from cli.commands import fogg


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command below a command, with the words that call it."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    for name in command.list_commands(click.Context(command)):
        yield from commands(command.get_command(click.Context(command), name), f"{path} {name}")


ALL = dict(commands(fogg, "fogg"))


def options(name: str) -> dict[str, click.Option]:
    """Return an option of each command that has it."""
    return {
        path: option
        for path, command in ALL.items()
        for option in command.params
        if isinstance(option, click.Option) and name in option.opts
    }


def test_the_number_of_processes_is_that_of_the_cores():
    jobs = options("--jobs")
    assert len({(repr(o.type.to_info_dict()), o.help) for o in jobs.values()}) == 1
    assert jobs.keys() == {"fogg arena", "fogg bot try", "fogg verify"}
    assert {o.default for o in jobs.values()} == {0}


@pytest.mark.parametrize("name", ["--games", "--seats", "--seed", "--jobs", "--out"])
def test_a_trial_and_an_arena_have_the_same_options_of_games(name):
    trial, arena = (options(name)[command] for command in ("fogg bot try", "fogg arena"))
    told = [(o.help, repr(o.type.to_info_dict()), o.default) for o in (trial, arena)]
    assert told[0][:2] == told[1][:2]
    assert name == "--seed" or told[0] == told[1]  # another seed each time


def test_every_number_of_seats_is_two_by_default_and_from_two_on():
    seats = options("--seats")
    assert len(seats) == 4
    assert {(o.default, o.type.min) for o in seats.values()} == {(2, 2)}
    most = {path: o.type.max for path, o in seats.items()}
    assert most.pop("fogg tournament create") == 5  # more are refused by the service
    assert {*most.values()} == {8}


def test_every_command_that_prints_json_says_so_alike():
    printing = options("--json")
    assert len(printing) > 15
    for path, option in printing.items():
        assert option.help.startswith("Print "), path
        assert option.help.endswith(" as JSON, and nothing else."), path


@pytest.mark.parametrize("path", ALL)
def test_help_has_an_example_and_fits_a_terminal_of_80_columns(path):
    assert [option for option in ALL[path].params if len(option.opts) > 1] == []  # one name each
    shown = ALL[path].get_help(click.Context(ALL[path], info_name=path))
    assert [line for line in shown.splitlines() if len(line) > 80] == []
    assert "Example:" in shown


def test_no_option_takes_what_is_no_number():
    numbers = {
        path: [
            option
            for option in command.params
            if isinstance(option.type, click.types.FloatParamType)
        ]
        for path, command in ALL.items()
    }
    numeric = [(path, option) for path, options in numbers.items() for option in options]
    assert len(numeric) > 7
    for path, option in numeric:
        assert option.type.convert("1", option, None) == 1, path
        for text in ("nan", "inf", "-inf"):
            with pytest.raises(click.BadParameter):
                option.type.convert(text, option, None)
