"""Every benchmark has a command that describes its options, and the table shows missed bounds."""

import io
import json
import subprocess
import sys
from importlib import import_module
from inspect import signature

import click
import pytest
from rich.console import Console

from benchmarks.runner import command, ratio, table


@pytest.mark.parametrize("name", ["http", "simulator"])
def test_a_benchmark_is_a_command_that_describes_every_option(name):
    measure = import_module(f"benchmarks.{name}").measure
    described = command(measure).get_help(click.Context(command(measure)))
    options = ["json", *signature(measure).parameters]
    assert [option for option in options if f"--{option}" not in described] == []


def test_a_benchmark_prints_its_result_as_json():
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "benchmarks.http",
            "--rounds",
            "1",
            "--seconds",
            "0.1",
            "--clients",
            "1",
            "--json",
        ],
        capture_output=True,
        text=True,
    )
    result = json.loads(done.stdout)
    assert result["benchmark"] == "http"
    assert result["ratios"][0]["ours"] > 0
    assert result["figures"]["actions, median ms"] > 0


def test_the_table_says_which_bounds_are_missed():
    console = Console(file=io.StringIO(), width=200)
    console.print(
        table(
            [
                ratio("kept", "ms", [1], [2], at_least=0.5),
                ratio("missed", "ms", [1], [2], at_least=1),
            ]
        )
    )
    *_, kept, missed = map(str.rstrip, console.file.getvalue().strip().splitlines())
    assert "0.500" in kept
    assert "MISSED" not in kept
    assert missed.endswith(">= 1 MISSED")
