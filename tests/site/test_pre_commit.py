"""The hooks of .pre-commit-config.yaml stop what is wrong before it is committed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from proofread.settings import load
from tests.site.conftest import ENVIRONMENT, ROOT

CONFIG = ".pre-commit-config.yaml"
PAGE = (
    '# A page\n\n```python exec="on"\nfrom helper import half\n```\n\nIt is 0.5<!-- = half -->.\n'
)
IDENTITY = {
    f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}
SETTINGS = '[tool.proofread]\npages = ["README.md", "docs/**/*.md"]\n'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A small book under the same hooks, with everything committed."""
    files = {
        "README.md": PAGE,
        "pyproject.toml": SETTINGS,
        "helper.py": '"""A number."""\n\nhalf = 0.5\n',
        "snippets/helper.py": '"""Nothing."""\n',
        CONFIG: (ROOT / CONFIG).read_text(encoding="utf-8"),
        ".gitignore": "/.venv\n/.cache/\n__pycache__/\n.ruff_cache/\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "proofread").symlink_to(ROOT / "proofread")
    run(tmp_path, "git", "init", "-q")
    run(tmp_path, sys.executable, "-m", "pre_commit", "install")
    assert commit(tmp_path).returncode == 0
    return tmp_path


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    outside = {key: value for key, value in ENVIRONMENT.items() if not key.startswith("GIT_")}
    return subprocess.run(
        command,
        cwd=folder,
        env=outside | IDENTITY | {"PRE_COMMIT_HOME": str(folder / ".cache/pre-commit")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def commit(repository: Path) -> subprocess.CompletedProcess[str]:
    run(repository, "git", "add", "-A")
    return run(repository, "git", "commit", "-m", "x")


def commits(repository: Path) -> int:
    return int(run(repository, "git", "rev-list", "--count", "HEAD").stdout)


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_wrong_number_is_stopped_with_its_place_and_its_fix(repository: Path) -> None:
    change(repository / "README.md", "0.5<", "0.6<")
    done = commit(repository)
    assert done.returncode != 0
    assert "README.md:7:7: page says 0.6, code says 0.5" in done.stdout
    assert "proofread fix README.md  # 0.6 -> 0.5" in done.stdout
    assert commits(repository) == 1
    change(repository / "README.md", "0.6<", "0.5<")
    change(repository / "README.md", "It is", "This is")
    assert commit(repository).returncode == 0
    assert commits(repository) == 2


def test_a_page_that_code_has_made_wrong_is_found_though_it_did_not_change(
    repository: Path,
) -> None:
    change(repository / "helper.py", "0.5", "0.7")
    change(repository / "snippets/helper.py", "Nothing", "Something")
    done = commit(repository)
    assert done.returncode != 0
    assert "page says 0.5, code says 0.7" in done.stdout


def test_code_out_of_style_is_stopped(repository: Path) -> None:
    (repository / "loose.py").write_text("import os\n")
    done = commit(repository)
    assert done.returncode != 0
    assert "F401" in done.stdout


def test_the_hook_for_pages_sees_every_page() -> None:
    hooks = yaml.safe_load((ROOT / CONFIG).read_text(encoding="utf-8"))["repos"][0]["hooks"]
    pattern = next(hook["files"] for hook in hooks if hook["id"] == "pages")
    settings = load(ROOT)
    for page in settings.files():
        assert re.search(pattern, settings.name(page)), page
    assert not re.search(pattern, "tests/bench/book.md")
