"""Writing bhh/1 files: from a warehouse, from other logs, from the simulator; compressed by the file's ending."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from belot_stats.deal import BadRecord, Deal
from belot_stats.errors import UsageError

if TYPE_CHECKING:
    from belot_stats.warehouse import Warehouse


class Exported(NamedTuple):
    """Deals written, and records that could not be read."""

    written: int
    unreadable: int = 0


def _open_zstd(stream: BinaryIO) -> BinaryIO:
    import zstandard

    return cast(BinaryIO, zstandard.ZstdCompressor().stream_writer(stream, closefd=False))


COMPRESSORS: dict[str, Callable[[BinaryIO], BinaryIO]] = {
    ".gz": lambda stream: cast(BinaryIO, gzip.GzipFile(fileobj=stream, mode="wb", mtime=0, filename="")),
    ".bz2": lambda stream: cast(BinaryIO, bz2.BZ2File(stream, "wb")),
    ".xz": lambda stream: cast(BinaryIO, lzma.LZMAFile(stream, "wb")),  # noqa: SIM115 - open_output closes it
    ".zst": _open_zstd,
}


@contextlib.contextmanager
def open_output(output: str, plain: bool = False) -> Iterator[BinaryIO]:
    """Binary stream to *output* ("-" is stdout); a file appears under its name only when it is whole.

    plain: whatever its ending, not compressed.

    Raises: UsageError where it cannot be written.
    """
    if output == "-" and not plain:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = _output_path(output)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with _special_or_new(path, temporary) as stream:
            compressor = COMPRESSORS.get(path.suffix) if not plain else None
            if compressor is None:
                yield stream
            else:
                with compressor(stream) as compressed:
                    yield compressed
        if temporary.exists():
            temporary.replace(path)
    except OSError as problem:
        if isinstance(problem, BrokenPipeError):
            raise
        raise UsageError(f"{output}: cannot be written: {problem.strerror or problem}") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _output_path(output: str) -> Path:
    """Where *output* is, links followed. Raises: UsageError for a folder or no name at all."""
    path = Path(os.path.realpath(output)) if output else Path()
    if not output or path.is_dir():
        raise UsageError(f"{output!r}: cannot be written: expected the name of a file")
    return path


def _special_or_new(path: Path, temporary: Path) -> BinaryIO:
    """A device or pipe is written itself; a file by a temporary one beside it."""
    if path.exists() and not path.is_file():
        return path.open("wb")
    return temporary.open("wb")


def write_deals(deals: Iterable[Deal], stream: BinaryIO) -> int:
    """Write *deals* as bhh/1, one a line. Returns how many."""
    from belot_stats.export import export_lines

    count = 0
    for line in export_lines(deals):
        stream.write(line)
        count += 1
    return count


def export_warehouse(warehouse: Warehouse, output: str, where: str | None = None) -> Exported:
    """Deals of *warehouse* that count, by source, match and number; *where* is an SQL condition on them.

    Raises: UsageError for a condition that is no SQL, or an output that cannot be written.
    """
    deals = _stored_deals(warehouse, where)
    first = next(deals, None)
    with open_output(output) as stream:
        if first is None:
            return Exported(0)
        return Exported(write_deals([first], stream) + write_deals(deals, stream))


def _stored_deals(warehouse: Warehouse, where: str | None) -> Iterator[Deal]:
    import duckdb

    from belot_stats.object_storage import store_error
    from belot_stats.rows import deal_of

    query = f"select * from deals where {where or 'true'} order by source, match, deal"
    try:
        reader = warehouse.sql(query).to_arrow_reader(10_000)
    except duckdb.Error as problem:
        if where is None:
            raise
        raise store_error(problem) or UsageError(
            f"--where {where!r}: {str(problem).splitlines()[0]}"
        ) from None
    for batch in reader:
        yield from map(deal_of, batch.to_pylist())


def export_logs(
    logs: list[str],
    output: str,
    format_name: str | None = None,
    source: str | None = None,
    rules: str | None = None,
    complain: Callable[[str], None] | None = None,
) -> Exported:
    """Deals of *logs*, whatever their format, in their order; what cannot be read is counted and complained of.

    Raises: InputError, UsageError.
    """
    from belot_stats.readers.inputs import find_inputs

    bad: list[str] = []
    with open_output(output) as stream:
        written = 0
        for item in find_inputs(logs):
            written += write_deals(_readable(item.path, format_name, source, rules, bad, complain), stream)
    return Exported(written, len(bad))


def _readable(
    path: str,
    format_name: str | None,
    source: str | None,
    rules: str | None,
    bad: list[str],
    complain: Callable[[str], None] | None,
) -> Iterator[Deal]:
    from belot_stats.readers import read_log
    from belot_stats.readers.reader import ReadOptions
    from belot_stats.ruleset import RuleResolver

    for record in read_log(path, format_name, ReadOptions(source, RuleResolver(default=rules))):
        if isinstance(record, BadRecord):
            bad.append(record.code)
            if complain is not None:
                complain(f"{path}:{record.line}: {record.code}: {record.message}")
        else:
            yield record


__all__ = ["Exported", "export_logs", "export_warehouse", "open_output", "write_deals"]
