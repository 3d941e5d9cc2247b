"""Which files are meant by the paths a user gives: files, folders, patterns and ``-``."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from belot_stats.errors import InputError
from belot_stats.readers.streams import STDIN


class InputPath(NamedTuple):
    """A file to read. *is_named*: asked for by its own name, so that it must be readable; what was only met in a
    folder or by a pattern is passed over, and said, where no reader claims it."""

    path: str
    is_named: bool


def find_inputs(paths: Sequence[str | Path]) -> list[InputPath]:
    """Files that *paths* mean, in the order given, those of a folder or pattern sorted, each once.

    A folder is searched through and through; hidden files and folders (``.name``) in it, and what is neither file nor
    folder, are passed over.
    Raises: InputError for an empty name, a path that is not there, a folder that cannot be read, holds no file or
    leads back into itself, and a pattern that nothing matches.
    """
    found: dict[str, InputPath] = {}
    for path in map(str, paths):
        for item in _inputs_of(path):
            if item.path not in found or item.is_named:
                found[item.path] = item
    return list(found.values())


def _inputs_of(path: str) -> list[InputPath]:
    if path == STDIN:
        return [InputPath(STDIN, True)]
    if not path:
        raise InputError("an empty name among the logs: expected a file, a folder, a pattern or -")
    if Path(path).is_dir():
        return _inputs_in_folder(path)
    if Path(path).exists() or Path(path).is_symlink():
        return [InputPath(path, True)]
    if glob.has_magic(path):
        return _inputs_matching(path)
    raise InputError(f"{path}: there is no such file or folder")


def _inputs_matching(pattern: str) -> list[InputPath]:
    matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207  pathlib takes no absolute pattern
    files = [InputPath(path, False) for path in matches if not Path(path).is_dir() and not _never_ends(path)]
    if not files:
        raise InputError(f"{pattern}: no file matches this pattern")
    return files


def _inputs_in_folder(folder: str) -> list[InputPath]:
    root = Path(folder)
    if _is_warehouse(root):
        raise InputError(f"{folder}: this is a warehouse, not a folder of logs")
    files = [InputPath(str(path), False) for path in _walk(root, (_identity(root),))]
    if not files:
        raise InputError(f"{folder}: there is no file in this folder (hidden ones are passed over)")
    return files


def _walk(folder: Path, above: tuple[tuple[int, int], ...]) -> Iterator[Path]:
    """Files of *folder* and of the folders in it. *above*: identities of the folders that led here, itself last."""
    for path in _paths_in(folder):
        if not path.is_dir():
            if not _never_ends(path):
                yield path
            continue
        if not os.access(path, os.R_OK | os.X_OK):
            yield path  # it fails by itself when it is opened, and the others are read
            continue
        if _is_warehouse(path):
            continue
        identity = _identity(path)
        if identity in above:
            raise InputError(
                f"{path}: this folder leads back into itself: give the folders to read one by one"
            )
        yield from _walk(path, (*above, identity))


def _never_ends(path: str | Path) -> bool:
    """A pipe, socket or device, which is read only where it is named: to open it may wait for ever."""
    path = Path(path)
    return path.exists() and not path.is_file() and not path.is_dir()


def _is_warehouse(folder: Path) -> bool:
    """A warehouse that stands among the logs is passed over."""
    return (folder / "ledger").is_dir() and (folder / "deals").is_dir()


def _paths_in(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as problem:
        raise InputError(f"{folder}: this folder cannot be read: {problem.strerror}") from None


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino
