"""python -m book.build [--serve] [--no-store]: build the site beside the old one, or preview it.

A build that fails, or is stopped, leaves the last good site where it is. Builds may run at the
same time: each works in a folder of its own, and the last to finish is the one that stays.
`--no-store` runs every block, whatever is remembered.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path

from book import proving
from book.rendering import ROOT
from proofread.proof import CREW

SITE, LOCK = ROOT / "site", ROOT / ".cache/build.lock"
PREFIX = ".site-"


def main(arguments: list[str]) -> int:
    options = set(arguments)
    if options - {"--serve", "--no-store"}:
        print(__doc__, file=sys.stderr)
        return 2
    if "--no-store" in options:
        os.environ["PROOFREAD_STORE"] = "off"
    if "--serve" in options:
        from book import preview

        preview.install()
        return _mkdocs("serve")
    try:
        return _build()
    except OSError as error:
        told = f"Stopped at {error.filename or SITE}: {error.strerror or error}."
        print(f"{told} {_kept()}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nStopped. {_kept()}", file=sys.stderr)
        return 130


def _build() -> int:
    _clear()
    proving.begin()
    new = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=ROOT))
    try:
        if status := _mkdocs("build", "--strict", "--site-dir", str(new)):
            print(_kept(), file=sys.stderr)
            return status
        new.chmod(0o755)
        from filelock import FileLock

        LOCK.parent.mkdir(exist_ok=True)
        with FileLock(LOCK):
            _swap(new)
        return 0
    finally:
        CREW.close()  # whatever still runs is not needed any more
        shutil.rmtree(new, ignore_errors=True)


def _swap(new: Path) -> None:
    """Put the new site in the place of the old one, which stays until the new one is there."""
    old = Path(f"{new}-old")
    if SITE.exists():
        SITE.rename(old)
    try:
        new.rename(SITE)
    except OSError:
        if old.exists():
            old.rename(SITE)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _clear() -> None:
    """Remove what a build that was killed has left."""
    for folder in ROOT.glob(f"{PREFIX}*"):
        maker = int(folder.name.removeprefix(PREFIX).partition("-")[0] or 0)
        try:
            os.kill(maker, 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except PermissionError:
            continue  # it lives, and is somebody else's


def _kept() -> str:
    return f"No new site.{' The last good one is still in site/.' if SITE.exists() else ''}"


def _mkdocs(*arguments: str) -> int:
    """Run a command of MkDocs in this process: nothing outlives it."""
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    os.chdir(ROOT)
    gc.set_threshold(100_000)  # a build makes much, and lives a second
    from mkdocs.__main__ import cli

    try:
        cli(list(arguments), prog_name="mkdocs")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
