"""The lock file, the Makefile and the wheel: what a user gets before any code of the package runs."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCK = (ROOT / "requirements.lock").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# Written so that the patterns do not find themselves.
REGISTRY_HOST = re.compile(
    rb"py[p]i\.org|python[h]osted\.org|registry\.npm[j]s\.org|deb\.debian\.[o]rg"
    rb"|index[-]url|https?://[^\"\s]+\.(?:whl|tar\.gz|tgz|[d]eb)"
)


def plain_name(requirement: str) -> str:
    return re.match(r"[\w.-]+", requirement)[0].lower().replace("_", "-")


def locked_blocks() -> list[str]:
    """One text a requirement: its first line and its hashes."""
    text = LOCK.replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def project_files() -> list[Path]:
    """Files that are tracked or would be, or every file of an unpacked source archive."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (ROOT / ".git").exists():
        names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split(
            "\0"
        )
        paths = [ROOT / name for name in names if name]
    else:
        outside = {".venv", "demo", "__pycache__"}
        paths = [path for path in ROOT.rglob("*") if not outside.intersection(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file()]


def test_lock_pins_every_requirement_with_hashes():
    for block in locked_blocks():
        assert re.match(r"[a-z0-9.-]+==\S+( ;.*?)? +--hash=sha256:[0-9a-f]{64}\b", block), block[:80]


def test_lock_holds_no_address():
    assert "http" not in LOCK
    assert "://" not in LOCK


def test_lock_covers_every_dependency():
    wanted = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    locked = {plain_name(block) for block in locked_blocks()}
    assert {plain_name(requirement) for requirement in wanted} <= locked


def test_no_file_names_a_registry():
    naming = [path.relative_to(ROOT) for path in project_files() if REGISTRY_HOST.search(path.read_bytes())]
    assert naming == []


@pytest.mark.parametrize("target", ["help", "setup", "demo", "test", "lint", "bench", "lock", "clean"])
def test_makefile_has_target(target: str):
    assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)
    assert target == "help" or f"'make {target} " in MAKEFILE


def test_pythons_are_the_same_everywhere():
    first, end = map(int, re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"]).groups())
    classified = [c.rsplit(" ", 1)[1] for c in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", c)]
    assert classified == [f"3.{minor}" for minor in range(first, end)]
    assert f"Python 3.{first} to 3.{end - 1}" in (ROOT / "CONTRIBUTING.md").read_text()


@pytest.mark.parametrize("script", [".ci/run", "tools/find-python.sh", "tools/lock.sh", "tools/setup.sh"])
def test_script_parses(script: str):
    shell = "bash" if script == ".ci/run" else "sh"
    subprocess.run([shell, "-n", ROOT / script], check=True)


def run(command: list[str | Path], folder: Path) -> str:
    """Output of *command* in *folder*, with none of this process's Python settings."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def make_environment(folder: Path, wheel: Path) -> Path:
    """A new virtual environment in *folder* with *wheel*; its other packages are the ones that run this test.

    Returns: its folder of programs.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    programs = folder / "bin"
    pip = [sys.executable, "-m", "pip", "--python", programs / "python", "install", "-qq"]
    run([*pip, "--no-deps", "--no-index", wheel], folder)
    paths = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", vars=paths))
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return programs


@pytest.mark.slow
def test_wheel_runs_the_demo_from_another_folder(tmp_path: Path):
    """The wheel is built from the source archive, so that is complete too."""
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path / "dist", ROOT], tmp_path)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    programs = make_environment(tmp_path / "environment", wheel)
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()

    location = run([programs / "python", "-c", "import belot_stats; print(belot_stats.__file__)"], elsewhere)
    assert Path(location.strip()).is_relative_to(tmp_path / "environment")
    version = re.search(r'__version__ = "(.+)"', (ROOT / "belot_stats/version.py").read_text())[1]
    assert version in run([programs / "belot-stats", "--version"], elsewhere)
    run([programs / "belot-stats", "demo", "--out", "out"], elsewhere)
    assert (elsewhere / "out/report.html").stat().st_size > 1000
