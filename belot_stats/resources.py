"""Where rule files, reports, run files, samples and schemas are found.

In a wheel they lie in ``belot_stats/_data``; in a checkout (an editable install) beside the package, in the
project's own folders. Nothing here depends on the working directory.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE_FOLDER = Path(__file__).resolve().parent


def resource_folder(kind: str) -> Path:
    """Folder of the resources of *kind*: ``reports``, ``pipelines``, ``data`` or ``rulesets``.

    Raises: FileNotFoundError when the installation lacks it.
    """
    if kind == "rulesets":
        return PACKAGE_FOLDER / "rulesets"
    for folder in (PACKAGE_FOLDER / "_data" / kind, PACKAGE_FOLDER.parent / kind):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the installation of belot-stats lacks its folder {kind!r}: install it again")


def resource(kind: str, name: str) -> Path:
    """Path of the resource *name* (with its folders and ending) of *kind*.

    Raises: FileNotFoundError when there is none.
    >>> resource("data", "schema/dictionary.toml").name
    'dictionary.toml'
    """
    path = resource_folder(kind) / name
    if not path.exists():
        raise FileNotFoundError(f"belot-stats has no {kind} resource {name!r}")
    return path
