"""Storage: all access to a warehouse's files, over ``pyarrow.fs``.

Files are written whole and appear whole, under their final name, or not at all; they are never changed in place.
:func:`open_storage` gives the storage of a local folder or, for a URI, that of an object store
(:mod:`belot_stats.object_storage`).
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar
from uuid import uuid4

from belot_stats.errors import WarehouseError

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")
R = TypeVar("R")

WRITERS_LOCK = ".writers.lock"
LEDGER_LOCK = ".ledger.lock"
SPILL_FOLDER = "derived/.spill"
SHUFFLE_FOLDER = "derived/.shuffle"  # of runs that are under way, which all hold the writers' lock


class StoredFile(NamedTuple):
    """A file of a folder: its name, size and time of change (nanoseconds; tells a rewritten file from a read one)."""

    name: str
    size: int
    changed_ns: int


def open_storage(root: str | Path) -> Storage:
    """Storage of the folder or URI *root*; the ``root`` of what it gives opens the same one in another process.

    Raises: WarehouseError for a URI that names no storage.
    """
    from belot_stats.object_storage import ObjectStorage, local_path, uri_of

    uri = uri_of(root)
    if uri is None:
        return Storage(root)
    local = local_path(uri)
    return ObjectStorage(uri) if local is None else Storage(local)


class Storage:
    """One local folder of files, addressed by names relative to it (``"deals/<part>.parquet"``)."""

    is_remote = False
    _spill_mode = 0o777

    def __init__(self, root: str | Path) -> None:
        from pyarrow import fs

        self.root = str(Path(root).absolute())
        self.spill_folder = f"{self.root}/{SPILL_FOLDER}"
        self._files: Any = fs.LocalFileSystem()

    def path(self, name: str) -> str:
        """Where *name* is: for people, and, where the storage is local, for DuckDB."""
        return f"{self.root}/{name}" if name else self.root

    def make_spill_folder(self) -> str:
        """Local folder for what memory cannot hold, made where it is missing: DuckDB makes one folder, none above."""
        with suppress(OSError):  # who may only read may still ask what needs no such folder
            Path(self.spill_folder).mkdir(self._spill_mode, parents=True, exist_ok=True)
        return self.spill_folder

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """``function(item)`` of each of *items*, in their order; at once where that is faster."""
        return map(function, items)

    def exists(self, name: str = "") -> bool:
        """There is a file or folder *name*."""
        from pyarrow import fs

        return bool(self._files.get_file_info(self.path(name)).type != fs.FileType.NotFound)

    def is_folder(self, name: str = "") -> bool:
        """There is a folder *name*."""
        from pyarrow import fs

        return bool(self._files.get_file_info(self.path(name)).type == fs.FileType.Directory)

    def make_folder(self, name: str) -> None:
        """Make the folder *name* and those above it, where they are missing."""
        with _as_warehouse_error(self.path(name)):
            self._files.create_dir(self.path(name))

    def listing(self, folder: str) -> list[StoredFile]:
        """Files of *folder*, sorted by name; half-written ones (hidden names) are not among them."""
        return [file for file in self._all_files(folder) if not file.name.startswith(".")]

    def leftovers(self, folder: str) -> list[StoredFile]:
        """Half-written files that a killed process left in *folder*."""
        return [
            file
            for file in self._all_files(folder)
            if file.name.startswith(".") and file.name.endswith(".tmp")
        ]

    def _all_files(self, folder: str) -> list[StoredFile]:
        from pyarrow import fs

        selector = fs.FileSelector(self.path(folder), allow_not_found=True)
        with _as_warehouse_error(self.path(folder)):
            infos = self._files.get_file_info(selector)
        files = [StoredFile(info.base_name, info.size, info.mtime_ns or 0) for info in infos if info.is_file]
        return sorted(files)

    def folders(self, folder: str) -> list[str]:
        """Names of the folders in *folder*."""
        from pyarrow import fs

        infos = self._files.get_file_info(fs.FileSelector(self.path(folder), allow_not_found=True))
        return sorted(info.base_name for info in infos if info.type == fs.FileType.Directory)

    def open(self, name: str) -> pa.NativeFile:
        """The file *name*, open for reading anywhere in it."""
        with _as_warehouse_error(self.path(name)):
            return self._files.open_input_file(self.path(name))

    def read(self, name: str) -> bytes:
        """Bytes of the file *name*."""
        with self.open(name) as file:
            return bytes(file.read())

    def write(self, name: str, data: bytes, *, durable: bool = True) -> None:
        """Write *data* as the file *name*: whole, or not at all; a file of that name is replaced.

        durable: on disk before it gets its name; not needed for what can be computed again.
        Raises: WarehouseError, when the disk is full or the folder cannot be written.
        """
        folder, _, base = self.path(name).rpartition("/")
        temporary = f"{folder}/.{base}.{uuid4().hex}.tmp"  # machines that share a folder share process ids
        with _as_warehouse_error(self.path(name)):
            try:
                _write_file(temporary, data, durable)
                Path(temporary).replace(self.path(name))
            except BaseException:
                with suppress(OSError):
                    Path(temporary).unlink()
                raise
            if durable:
                _sync_folder(folder)

    def remove(self, name: str) -> None:
        """Remove the file *name*, if it is there."""
        with _as_warehouse_error(self.path(name)), suppress(FileNotFoundError):
            Path(self.path(name)).unlink()

    def remove_folder(self, name: str) -> None:
        """Remove the folder *name* and all in it, if it is there."""
        with _as_warehouse_error(self.path(name)), suppress(FileNotFoundError):
            self._files.delete_dir(self.path(name))

    @contextmanager
    def lock(self, name: str, *, shared: bool = False, wait: bool = True) -> Iterator[None]:
        """Hold the lock *name*, which ends with the process at the latest.

        Raises: WarehouseError when ``wait`` is false and another process holds it.
        """
        import fcntl

        with _open_lock(self.path(name)) as file:
            try:
                fcntl.flock(
                    file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
                )
            except BlockingIOError:
                raise WarehouseError(
                    f"{self.root}: another process is writing to this warehouse; try again when it is done"
                ) from None
            yield


def _open_lock(path: str) -> IO[bytes]:
    with _as_warehouse_error(path):
        return Path(path).open("ab")


def _write_file(path: str, data: bytes, durable: bool) -> None:
    file: IO[bytes]
    with Path(path).open("wb") as file:
        file.write(data)
        file.flush()
        if durable:
            os.fsync(file.fileno())


def _sync_folder(folder: str) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _as_warehouse_error(path: str) -> Iterator[None]:
    """Turn an operating system's error into one that says what it means for the warehouse."""
    try:
        yield
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            raise WarehouseError(
                f"no space left on the disk: {path} was not written; free some space and run again"
            ) from problem
        raise WarehouseError(f"{path}: {problem.strerror or problem}") from problem
