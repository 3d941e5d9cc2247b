"""Which files are meant."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from belot_stats.errors import InputError
from belot_stats.readers.inputs import InputPath, find_inputs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.jsonl", "a.jsonl", "sub/c.jsonl.gz", ".hidden.jsonl", ".git/d.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    return tmp_path


def names(inputs: list[InputPath], folder: Path) -> list[str]:
    return [str(Path(item.path).relative_to(folder)) for item in inputs]


def test_a_folder_gives_its_files_sorted_without_hidden_ones(folder: Path) -> None:
    found = find_inputs([folder])
    assert names(found, folder) == ["a.jsonl", "b.jsonl", "sub/c.jsonl.gz"]
    assert not any(item.is_named for item in found)


def test_a_file_named_as_well_is_named(folder: Path) -> None:
    found = find_inputs([folder, folder / "b.jsonl", folder / ".hidden.jsonl"])
    assert [item.is_named for item in found] == [False, True, False, True]
    assert len(found) == len({item.path for item in found})


def test_patterns(folder: Path) -> None:
    assert names(find_inputs([f"{folder}/*.jsonl"]), folder) == ["a.jsonl", "b.jsonl"]
    assert names(find_inputs([f"{folder}/**/*.gz"]), folder) == ["sub/c.jsonl.gz"]
    with pytest.raises(InputError, match="no file matches this pattern"):
        find_inputs([f"{folder}/*.csv"])


def test_standard_input() -> None:
    assert find_inputs(["-"]) == [InputPath("-", True)]


def test_what_is_not_there(folder: Path) -> None:
    with pytest.raises(InputError, match="there is no such file or folder"):
        find_inputs([folder / "z.jsonl"])
    (folder / "sub" / "c.jsonl.gz").unlink()
    with pytest.raises(InputError, match="there is no file in this folder"):
        find_inputs([folder / "sub"])


def test_a_folder_that_leads_back_into_itself(folder: Path) -> None:
    (folder / "sub" / "up").symlink_to(folder)
    with pytest.raises(InputError, match="leads back into itself"):
        find_inputs([folder])


def test_a_link_that_leads_nowhere_is_told_when_it_is_opened(folder: Path) -> None:
    (folder / "loop").symlink_to(folder / "loop")
    assert "loop" in names(find_inputs([folder]), folder)


def test_an_empty_name_is_no_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(InputError, match="an empty name"):
        find_inputs([""])


def test_a_pipe_is_read_only_where_it_is_named(folder: Path) -> None:
    pipe = folder / "pipe.jsonl"
    os.mkfifo(pipe)
    assert pipe.name not in names(find_inputs([folder]), folder)
    assert pipe.name not in names(find_inputs([str(folder / "*.jsonl")]), folder)
    assert names(find_inputs([pipe]), folder) == [pipe.name]
