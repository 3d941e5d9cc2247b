"""An S3-compatible server on loopback for the tests: moto's, in a process of its own."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.store.logs import PROJECT

BUCKET = "belot-logs"


class Server:
    """A running server: its endpoint, and what it was asked."""

    def __init__(self, port: int, log: Path) -> None:
        self.port, self.log = port, log
        self.endpoint = f"http://127.0.0.1:{port}"

    def uri(self, prefix: str, **options: str) -> str:
        """URI of *prefix* in the bucket, with all that it takes to find the server."""
        given = {"endpoint_override": f"127.0.0.1:{self.port}", "scheme": "http", **options}
        return f"s3://{BUCKET}/{prefix}?" + "&".join(f"{name}={value}" for name, value in given.items())

    def asked(self, method: str, path: str = "") -> list[str]:
        """Paths of the requests of *method* that contain *path*, in their order."""
        words = [line.split('"') for line in self.log.read_text("utf-8", "replace").splitlines()]
        found = [line[1].split(" ") for line in words if len(line) > 2]
        return [item[1] for item in found if item[0].endswith(method) and path in item[1]]


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Server with an empty bucket; its log is in *folder*."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = folder / "server.log"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd=PROJECT)
    try:
        _wait_for(port, process, log)
        server = Server(port, log)
        _make_bucket(server)
        yield server
    finally:
        process.kill()
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(1200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        assert process.poll() is None, log.read_text("utf-8")
        time.sleep(0.05)
    raise AssertionError("the server did not start within 60 s")


def _make_bucket(server: Server) -> None:
    from pyarrow import fs

    files, _ = fs.FileSystem.from_uri(server.uri("", allow_bucket_creation="true"))
    files.create_dir(BUCKET)
