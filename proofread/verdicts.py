"""Which pages were found clean and have not changed since, nor has anything that they depend on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from proofread.proof import Proof
from proofread.reading import notebooks
from proofread.running.store import Store
from proofread.settings import Settings

SECTION = re.compile(r"(?m)^## ")


def judged_by(settings: Settings) -> str:
    """What every page is judged by: the settings, and the parts that pages can refer to."""
    parts = [repr(settings)]
    for path in settings.files():
        with contextlib.suppress(OSError, ValueError):  # its page says so
            sections = len(SECTION.findall(notebooks.read(path)))
            parts.append(f"{settings.name(path)} {sections}")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def standing(paths: Sequence[Path], settings: Settings, store: Store, book: str) -> set[Path]:
    """The pages whose verdict still stands; `book` is what `judged_by` said."""
    if store.folder is None:
        return set()
    return {path for path in paths if _stands(path, settings, store, book)}


def keep(proofs: Sequence[Proof], store: Store, book: str) -> None:
    """Remember the pages that were found clean; `book` is from before they were judged."""
    if store.folder is None:
        return
    for proof in proofs:
        file = _file(store, proof.page.path, proof.page.source, book)
        blocks = len(proof.page.blocks_run)
        if proof.findings or (blocks and len(proof.entries) <= blocks):
            continue
        files: dict[str, str] = {}
        packages: dict[str, str] = {}
        for entry in proof.entries:
            files |= entry.files
            packages |= entry.packages
        for code in proof.page.blocks_run:
            if code.included:
                for name in (code.path, str(Path(code.path).with_suffix(".out"))):
                    files[name] = store.files.state(name)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"files": files, "packages": packages}))


def _stands(path: Path, settings: Settings, store: Store, book: str) -> bool:
    try:
        source = notebooks.read(path)
        told = json.loads(_file(store, settings.name(path), source, book).read_text())
        return store.holds(told["files"], told["packages"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _file(store: Store, name: str, source: str, book: str) -> Path:
    assert store.folder is not None
    key = hashlib.sha256("\0".join([name, source, book, store.environment.key]).encode())
    return store.folder / "clean" / f"{key.hexdigest()[:40]}.json"
