"""The comment below a pull request: the workflow's own scripts, beside a stand-in for GitHub."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.site.test_changes import archive, book
from tests.workflows.standin import Standin
from tests.workflows.steps import ROOT

pytestmark = pytest.mark.skipif(not shutil.which("jq"), reason="needs jq, which GitHub has")
PULLS = "api --paginate *pulls*"
RUNS = "run list *"
COMMIT = "c0ffee"


@pytest.fixture
def github(tmp_path: Path) -> Standin:
    """A repository with a pull request from a fork, its preview, and a published book."""
    standin = Standin(tmp_path / "standin")
    for run, says in ((7, "0.2483"), (8, "0.2484")):
        found = {"artifacts": [{"id": run + 100, "size_in_bytes": 1000}]}
        standin.answer(f"api *runs/{run}/artifacts[?]name=claims", json.dumps(found))
        packed = archive(tmp_path / f"{run}.zip", book(("= w[0]", [says])))
        standin.answer(f"api *artifacts/{run + 100}/zip", packed.read_bytes())
    return standin


def pulls(*heads: str) -> str:
    return json.dumps([{"number": 40 + n, "head": {"sha": head}} for n, head in enumerate(heads)])


def comment(github: Standin, **told: str) -> list[int]:
    values = {"COMMIT": COMMIT, "RUN": "8", "STARTED": "2026-01-02T03:04:05Z"}
    return github.run("preview-comment.yml", "comment", ROOT, **values | told)


def published(github: Standin, *runs: int) -> None:
    listed = [{"databaseId": run, "headSha": "ba5eba11"} for run in runs]
    github.answer(RUNS, json.dumps(listed))


def test_the_comment_tells_what_changes_and_since_when(github: Standin) -> None:
    github.answer(PULLS, pulls("other", COMMIT) + pulls("another"))  # two pages of answers
    published(github, 7)
    assert set(comment(github)) == {0}
    assert "pr comment 41 --edit-last --create-if-none" in github.calls
    assert "`0.2483` is now `0.2484`" in (github.body or "")
    assert "Compared with main at ba5eba1:" in (github.body or "")
    assert "https://github.com/somebody/book/actions/runs/8#artifacts" in (github.body or "")


def test_the_book_it_is_compared_with_is_older_than_the_preview(github: Standin) -> None:
    github.answer(PULLS, pulls(COMMIT))
    published(github, 7)
    comment(github)
    assert "--created <=2026-01-02T03:04:05Z" in github.calls


def test_a_commit_that_is_not_the_last_one_gets_no_comment(github: Standin) -> None:
    github.answer(PULLS, pulls("newer"))
    published(github, 7)
    assert set(comment(github)) == {0}
    assert github.body is None
    assert "artifacts" not in github.calls, "nothing is fetched for nobody"


def test_before_the_first_book_there_is_a_link_alone(github: Standin) -> None:
    github.answer(PULLS, pulls(COMMIT))
    published(github)
    assert set(comment(github)) == {0}
    assert "no book yet" in (github.body or "")
    assert "0.2484" not in (github.body or "")


def test_an_archive_that_is_too_large_is_not_fetched(github: Standin) -> None:
    github.answer(PULLS, pulls(COMMIT))
    published(github, 7)
    assert comment(github, LARGEST="999")[-1] == 1
    assert "zip" not in github.calls
    assert github.body is None


def test_a_preview_that_is_no_book_gets_no_comment(github: Standin) -> None:
    github.answer(PULLS, pulls(COMMIT))
    published(github, 7)
    (github.folder / "answers/3/says").write_bytes(b"PK, or so it says")
    assert comment(github)[-1] == 1
    assert github.body is None


def test_what_github_says_is_no_part_of_a_script(github: Standin) -> None:
    commit = '"; touch "$RUNNER_TEMP/evil"; echo "$(touch "$RUNNER_TEMP/evil")'
    github.answer(PULLS, pulls(commit))
    published(github, 7)
    assert set(comment(github, COMMIT=commit, STARTED=commit)) == {0}
    assert not (github.folder / "evil").exists()
