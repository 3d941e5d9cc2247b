"""A warehouse in an object store, over ``pyarrow.fs``: ``s3://bucket/prefix``, and whatever else pyarrow opens by URI.

An object appears whole when its upload ends, so each file is one PUT (in several pieces above some 10 MB) and there
is nothing to rename. There are no file locks: a *lease* is an object under ``locks/`` that its holder writes again
every so often, and that counts for nothing once it is old, or once its process is known to be gone. A store lists
what was written before (S3 has done so since 2020), so of two that write a lease and then look at the others', at
least one sees both and gives way.
"""

from __future__ import annotations

import contextlib
import os
import platform
import random
import re
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

from belot_stats.errors import WarehouseError
from belot_stats.storage import Storage, StoredFile

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")
R = TypeVar("R")

SCHEMES = ("s3", "gs", "gcs", "abfs", "abfss")
SIGN = "ledger"  # the folder that makes a warehouse; an object store needs no other
LOCKS_FOLDER = "locks"
LEASE_SECONDS = 120.0
RENEW_SECONDS = 20.0
_READERS = 16  # small files read at once
_CREDENTIALS = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
# What a store's error means, by what is in its text.
_MEANINGS = {
    "NO_SUCH_BUCKET": "there is no such bucket",
    "To create buckets": "there is no such bucket",
    "ACCESS_DENIED": f"access denied: there are no credentials, or they give no right to it (set {_CREDENTIALS})",
    "INVALID_ACCESS_KEY_ID": f"the store does not know these credentials (set {_CREDENTIALS})",
    "INVALID_CLIENT_TOKEN_ID": f"the store does not know these credentials (set {_CREDENTIALS})",
    "SIGNATURE_DOES_NOT_MATCH": f"the store does not take these credentials (set {_CREDENTIALS})",
    "ExpiredToken": "the credentials have expired: get new ones",
    "InvalidAccessKeyId": f"the store does not know these credentials (set {_CREDENTIALS})",
    "NETWORK_CONNECTION": "the store cannot be reached: check the network, the region, and AWS_ENDPOINT_URL",
}


def uri_of(root: str | Path) -> str | None:
    """*root* as a URI; None where it is a local path. What ``Path`` made of a URI is one again.

    >>> uri_of("s3://bucket/logs"), uri_of(Path("s3://bucket/logs")), uri_of("warehouse")
    ('s3://bucket/logs', 's3://bucket/logs', None)
    """
    text = str(root)
    if "://" in text:
        return text
    found = re.match(r"([a-z0-9]+):/(?=[^/])", text)
    if found and found[1] in SCHEMES:
        return f"{found[1]}://{text[found.end() :]}"
    return None


def local_path(uri: str) -> str | None:
    """Local path of a ``file://`` URI; None for any other."""
    parts = urlsplit(uri)
    return unquote(parts.path) if parts.scheme == "file" and parts.netloc in ("", "localhost") else None


def meaning_of(problem: BaseException) -> str | None:
    """What an object store's error, perhaps inside another library's, means; None where it is no store's error."""
    text = str(problem)
    for word, meaning in _MEANINGS.items():
        if word in text:
            return meaning
    return _first_line(problem) if "AWS Error" in text else None


def store_error(problem: BaseException) -> WarehouseError | None:
    """The error of a store that a query met, in our words; None where the query itself is wrong.

    A file is opened when a query comes to it, so that is when a damaged part is found.
    """
    text = str(problem)
    missing = re.search(r"Path does not exist '([^']+)'", text)
    if missing:
        return WarehouseError(f"{missing[1]}: missing: ask again, or else ingest its log again")
    meaning = meaning_of(problem)
    damaged = _PART.search(text)
    is_of_a_reader = type(problem).__module__.partition(".")[0] in ("duckdb", "_duckdb", "pyarrow")
    if meaning is None and damaged and is_of_a_reader:
        return WarehouseError(
            f"{damaged[1]}: damaged or missing: remove it where it is there, and ingest its log again"
        )
    where = re.search(r"key '([^']*)' in bucket '([^']*)'", text)
    if meaning is None:
        return None
    return WarehouseError(f"{where[2]}/{where[1]}: {meaning}" if where else meaning)


_PART = re.compile(r"""['"]([^'"]+/(?:deals|findings|quarantine|derived/\w+)/[^'"/]+\.parquet)['"]""")


def _first_line(problem: BaseException) -> str:
    lines = str(problem).strip().splitlines()
    return lines[0] if lines else type(problem).__name__


@cache
def _open(uri: str) -> tuple[Any, str]:
    """File system and path of *uri*, once a process. Raises: WarehouseError."""
    import pyarrow as pa
    from pyarrow import fs

    parts = _checked(uri)
    if parts.scheme == "s3" and "allow_delayed_open" not in parts.query:  # one PUT for what is small
        uri += ("&" if parts.query else "?") + "allow_delayed_open=true"
    try:
        files, path = fs.FileSystem.from_uri(uri)
    except pa.ArrowInvalid as problem:
        raise WarehouseError(
            f"{parts.geturl()}: no storage: {_first_line(problem)}; expected a folder, or a URI such as "
            "s3://bucket/prefix?region=eu-central-1"
        ) from problem
    except (OSError, NotImplementedError) as problem:
        raise WarehouseError(f"{parts.geturl()}: {meaning_of(problem) or _first_line(problem)}") from problem
    if not path:
        raise WarehouseError(f"{parts.geturl()}: no storage: expected a bucket, as in s3://bucket/prefix")
    return files, path


def _checked(uri: str) -> Any:
    """Parts of *uri*, which must hold no secret: it is shown in messages and pages. Raises: WarehouseError."""
    try:
        parts = urlsplit(uri)
    except ValueError as problem:
        raise WarehouseError(f"{uri}: no storage: {problem}") from None
    if parts.password is not None or (parts.scheme == "s3" and parts.username is not None):
        raise WarehouseError(
            f"{parts.scheme}://…@{parts.hostname or ''}{parts.path}: credentials do not belong in the name of a "
            f"warehouse: set {_CREDENTIALS}"
        )
    return parts


class ObjectStorage(Storage):
    """The objects under a URI, addressed by names relative to it."""

    is_remote = True
    _spill_mode = 0o700  # beside other people's files

    def __init__(self, uri: str) -> None:
        """Raises: WarehouseError for a URI that names no storage."""
        self.root = uri
        self.files, self.folder = _open(uri)
        self._files = self.files
        self._shown = uri.partition("?")[0].rstrip("/")
        self.spill_folder = f"{tempfile.gettempdir()}/belot-stats-{os.getuid()}"

    def path(self, name: str) -> str:
        """Where *name* is, for people."""
        return f"{self._shown}/{name}" if name else self._shown

    def key(self, name: str) -> str:
        """Where *name* is, for the file system."""
        return f"{self.folder}/{name}" if name else self.folder

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """``function(item)`` of each of *items*, in their order, several at once."""
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(_READERS) as pool:
            yield from pool.map(function, items)

    def exists(self, name: str = "") -> bool:
        """There is an object or prefix *name*. Raises: WarehouseError, also where there is no such bucket."""
        from pyarrow import fs

        if self._type(name) != fs.FileType.NotFound:
            return True
        bucket = self.folder.partition("/")[0]
        with self._explained(""):
            if not name and self.files.get_file_info(bucket).type == fs.FileType.NotFound:
                raise WarehouseError(f"{self.path('')}: there is no such bucket: {bucket}")
        return False

    def is_folder(self, name: str = "") -> bool:
        """There is a prefix *name*. Raises: WarehouseError."""
        from pyarrow import fs

        return bool(self._type(name) == fs.FileType.Directory)

    def _type(self, name: str) -> Any:
        with self._explained(name):
            return self.files.get_file_info(self.key(name)).type

    def make_folder(self, name: str) -> None:
        """Mark the warehouse as one; other folders are there when something is in them."""
        if name == SIGN:
            with self._explained(""):
                self.files.create_dir(self.key(name))

    def leftovers(self, folder: str) -> list[StoredFile]:
        """Nothing: what was not uploaded whole is no object."""
        return []

    def _all_files(self, folder: str) -> list[StoredFile]:
        found = [item for item in self._infos(folder) if item.is_file]
        return sorted(StoredFile(item.base_name, item.size, item.mtime_ns or 0) for item in found)

    def folders(self, folder: str) -> list[str]:
        """Names of the prefixes in *folder*."""
        from pyarrow import fs

        return sorted(item.base_name for item in self._infos(folder) if item.type == fs.FileType.Directory)

    def _infos(self, folder: str) -> list[Any]:
        from pyarrow import fs

        with self._explained(folder):
            found: list[Any] = self.files.get_file_info(
                fs.FileSelector(self.key(folder), allow_not_found=True)
            )
        return found

    def open(self, name: str) -> pa.NativeFile:
        """The object *name*, open for reading anywhere in it."""
        with self._explained(name):
            return self.files.open_input_file(self.key(name))

    def read(self, name: str) -> bytes:
        """Bytes of the object *name*."""
        with self._explained(name), self.files.open_input_stream(self.key(name)) as file:
            return bytes(file.read())

    def write(self, name: str, data: bytes, *, durable: bool = True) -> None:
        """Write *data* as the object *name*: whole, or not at all; an object of that name is replaced.

        An interrupt waits until it is written: a stream that is given up would be closed, and so be half an object.
        Raises: WarehouseError.
        """
        problems: list[BaseException] = []
        thread = threading.Thread(target=self._put, args=(name, data, problems))
        thread.start()
        thread.join()
        if problems:
            with self._explained(name):
                raise problems[0]

    def _put(self, name: str, data: bytes, problems: list[BaseException]) -> None:
        try:
            stream = self.files.open_output_stream(self.key(name))
            stream.write(data)
            stream.close()
        except Exception as problem:  # noqa: BLE001 - raised in the thread that waits
            problems.append(problem)

    def remove(self, name: str) -> None:
        """Remove the object *name*, if it is there."""
        with self._explained(name), contextlib.suppress(FileNotFoundError):
            self.files.delete_file(self.key(name))

    def remove_folder(self, name: str) -> None:
        """Remove all under the prefix *name*."""
        with self._explained(name), contextlib.suppress(FileNotFoundError):
            self.files.delete_dir(self.key(name))

    @contextmanager
    def _explained(self, name: str) -> Iterator[None]:
        """Turn the store's error into one that says what it means for the warehouse."""
        try:
            yield
        except OSError as problem:
            what = meaning_of(problem) or problem.strerror or _first_line(problem)
            raise WarehouseError(f"{self.path(name)}: {what}") from problem

    @contextmanager
    def lock(self, name: str, *, shared: bool = False, wait: bool = True) -> Iterator[None]:
        """Hold a lease of the lock *name*; it ends soon after its process, at the latest.

        Raises: WarehouseError when ``wait`` is false and another process holds it.
        """
        lease = _Lease(self, f"{LOCKS_FOLDER}/{name.strip('.')}", shared)
        while not lease.take():
            if not wait:
                raise WarehouseError(
                    f"{self.path('')}: another process is writing to this warehouse; try again when it is done"
                )
            time.sleep(random.uniform(0.05, 0.5))
        try:
            yield
        finally:
            lease.give_back()


class _Lease:
    """One lease: ``<folder>/<shared or single>-<host>-<process>-<number>``."""

    def __init__(self, storage: ObjectStorage, folder: str, shared: bool) -> None:
        self._storage, self._folder, self._shared = storage, folder, shared
        kind = "shared" if shared else "single"
        self._file = f"{kind}-{_host()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._ended = threading.Event()
        self._renewing = threading.Thread(target=self._renew, daemon=True)

    @property
    def _name(self) -> str:
        return f"{self._folder}/{self._file}"

    def take(self) -> bool:
        """Write the lease and look at the others'. Returns: whether it is held; where it is not, it is gone again."""
        self._storage.write(self._name, b"")
        try:
            is_free = not self._others()
        except BaseException:
            self._storage.remove(self._name)
            raise
        if is_free:
            self._renewing.start()
        else:
            self._storage.remove(self._name)
        return is_free

    def _others(self) -> list[str]:
        """Leases that stand in the way; those of processes that are gone are removed."""
        times = {item.name: item.changed_ns for item in self._storage.listing(self._folder)}
        now = times.pop(self._file, max(times.values(), default=0))
        held = []
        for name, changed_ns in times.items():
            if now - changed_ns > LEASE_SECONDS * 1e9 or _is_gone(name):
                self._storage.remove(f"{self._folder}/{name}")
            elif not (self._shared and name.startswith("shared-")):
                held.append(name)
        return held

    def _renew(self) -> None:
        while not self._ended.wait(RENEW_SECONDS):
            with contextlib.suppress(WarehouseError):  # the next time will do, or the work itself fails
                self._storage.write(self._name, b"")

    def give_back(self) -> None:
        """End the lease; one that cannot be removed grows old."""
        self._ended.set()
        self._renewing.join()
        with contextlib.suppress(WarehouseError):
            self._storage.remove(self._name)


@cache
def _host() -> str:
    """This machine, in letters and digits."""
    return f"{re.sub(r'[^A-Za-z0-9]', '', platform.node())}{uuid.getnode():x}"


def _is_gone(lease: str) -> bool:
    """The lease's process ran on this machine and has ended."""
    _, host, process, _ = [*lease.split("-"), "", "", ""][:4]
    if host != _host() or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
