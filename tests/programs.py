"""Programs that tests run in processes of their own."""

import subprocess


def output(*words: object, timeout: float = 120, **options) -> str:
    """Run a program that must succeed; return what it prints."""
    done = subprocess.run(
        [*map(str, words)], capture_output=True, text=True, timeout=timeout, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
