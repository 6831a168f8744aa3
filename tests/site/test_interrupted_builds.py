"""Whatever happens to a build, the last good site stays, and nothing is left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofread.test_crew import listen_to_ctrl_c, stop
from tests.site.conftest import ENVIRONMENT, Build, pages

PAGE = '# One page\n\n```python exec="on"\n{}\n```\n'
SETTINGS = """site_name: X
theme: {{name: material, custom_dir: book/theme, font: false}}
extra_css: []
plugins: [{{markdown-exec: {{languages: [python]}}}}]
hooks: [book/hooks.py]
exclude_docs: "*.toml"
repo_url: https://example.org/
markdown_extensions: [attr_list, footnotes, md_in_html, pymdownx.superfences, book.extension]
{}"""


@pytest.fixture
def small(copy: Path) -> Path:
    """A book of one page, quick to build."""
    for page in pages(copy):
        page.unlink()
    (copy / "docs/index.md").write_text(PAGE.format("print('new')"))
    (copy / "mkdocs.yml").write_text(SETTINGS.format(""))
    (copy / "site").mkdir()
    (copy / "site/index.html").write_text("the last good site")
    return copy


def start(book: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "book.build"],
        cwd=book,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=listen_to_ctrl_c,
    )


def leftovers(book: Path) -> list[str]:
    return [path.name for path in book.iterdir() if path.name.startswith((".site-", "site."))]


def kept(book: Path) -> bool:
    return (book / "site/index.html").read_text() == "the last good site"


def test_a_small_book_builds(small: Path, build: Build) -> None:
    done = build()
    assert done.returncode == 0, done.stdout
    assert "1 blocks on 1 pages: 1 ran, 0 remembered" in done.stdout
    assert "new" in (small / "site/index.html").read_text()
    assert leftovers(small) == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_build_that_is_stopped_leaves_the_last_good_site(
    small: Path, build: Build, how: signal.Signals
) -> None:
    code = "import subprocess, time\nopen('began', 'w').close()\n"
    code += "subprocess.Popen(['sleep', '4567890'], start_new_session=True)\ntime.sleep(4567890)"
    (small / "docs/index.md").write_text(PAGE.format(code))
    stop(start(small), small / "began", how)
    assert kept(small)
    if how == signal.SIGINT:
        assert leftovers(small) == []
    (small / "docs/index.md").write_text(PAGE.format("print('new')"))
    assert build().returncode == 0
    assert leftovers(small) == [], "the next build clears what was left"


def test_two_builds_at_once_are_both_right(small: Path) -> None:
    builds = [start(small) for _ in range(3)]
    for one in builds:
        told, _ = one.communicate(timeout=120)
        assert one.returncode == 0, told
    assert "new" in (small / "site/index.html").read_text()
    assert leftovers(small) == []


def test_a_site_folder_that_cannot_be_replaced_is_told(small: Path, build: Build) -> None:
    (small / ".cache/build.lock").mkdir()  # as good as a folder without rights, also for root
    done = build()
    assert done.returncode == 1
    assert "Stopped at" in done.stdout
    assert "build.lock: " in done.stdout
    assert "The last good one is still in site/." in done.stdout
    assert "Traceback" not in done.stdout
    assert kept(small)


def test_all_faults_are_told_together_in_the_order_of_their_places(
    small: Path, build: Build
) -> None:
    (small / "docs/b.md").write_text("It has 8 heads.\n\n" + PAGE.format("1 / 0"))
    (small / "docs/a.md").write_text("It has 9 heads.\n\nAnd 10 more.\n")
    done = build()
    assert done.returncode == 1
    places = [line.split(": ")[0] for line in done.stdout.splitlines() if line.startswith("docs/")]
    assert places == ["docs/a.md:1:8", "docs/a.md:3:5", "docs/b.md:1:8", "docs/b.md:5:1"]
    assert kept(small)


def test_a_page_that_is_not_utf8_is_told_by_its_line(small: Path, build: Build) -> None:
    (small / "docs/index.md").write_bytes(b"# Title\n\nA caf\xe9.\n")
    done = build()
    assert done.returncode == 1
    assert "docs/index.md:1:1: line 3 is not UTF-8 (byte 0xe9)" in done.stdout
    assert kept(small)


@pytest.mark.parametrize("gone", ["gone.md", "gone.css"])
def test_a_file_that_disappears_while_building_does_no_harm(
    small: Path, build: Build, gone: str
) -> None:
    """A page is built from what was read and proven; without another file there is no new site."""
    hook = "def on_files(files, config):\n    __import__('pathlib').Path('docs/{}').unlink()\n"
    (small / "docs" / gone).write_text("# Gone\n")
    (small / "first.py").write_text(hook.format(gone))
    settings = SETTINGS.format("").replace("[book/hooks.py]", "[book/hooks.py, first.py]")
    (small / "mkdocs.yml").write_text(settings)
    done = build()
    assert "Traceback" not in done.stdout
    if gone == "gone.md":
        assert done.returncode == 0
        assert "Gone" in (small / "site/gone/index.html").read_text()
    else:
        assert done.returncode == 1
        assert "docs/gone.css: No such file or directory. No new site." in done.stdout
        assert kept(small)


def test_a_store_that_cannot_be_used_is_told_and_does_no_harm(small: Path, build: Build) -> None:
    (small / ".cache/proofread").write_text("a file where the folder should be")
    done = build()
    assert done.returncode == 0, done.stdout
    assert "nothing is kept" in done.stdout


def test_what_ran_once_does_not_run_again(small: Path, build: Build) -> None:
    build()
    assert "1 blocks on 1 pages: 0 ran, 1 remembered" in build().stdout


def test_output_is_shown_as_text_whatever_it_is(small: Path, build: Build) -> None:
    page = PAGE.replace('exec="on"', 'exec="on" source="above" result="text"')
    code = r"print('<b>&amp;</b> \x1b[31mred\x1b[0m \x07 `````````')"
    (small / "docs/index.md").write_text(page.format(code))
    done = build()
    assert done.returncode == 0, done.stdout
    html = (small / "site/index.html").read_text()
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt; red ␇ `````````" in html
    assert "\x1b" not in html


def test_a_figure_stands_below_its_code_with_its_words(small: Path, build: Build) -> None:
    code = "from matplotlib import pyplot\n_ = pyplot.plot([1, 4, 9])"
    page = PAGE.replace('exec="on"', 'exec="on" source="above" alt="A rising curve."')
    (small / "docs/index.md").write_text(page.format(code))
    done = build()
    assert done.returncode == 0, done.stdout
    html = (small / "site/index.html").read_text()
    figure = html[html.index('<figure class="run"') : html.index("</figure>")]
    assert figure.index("pyplot") < figure.index('role="img" aria-label="A rising curve."')


def test_a_block_for_a_gpu_shows_its_recorded_output_and_says_so(small: Path, build: Build) -> None:
    (small / "snippets/far").mkdir()
    (small / "snippets/far/far.py").write_text("print('on a card')\n")
    (small / "snippets/far/far.out").write_text("as it was\n")
    fence = 'exec="on" source="above" result="text" on="gpu"'
    page = PAGE.replace('exec="on"', fence).format('--8<-- "far/far.py"')
    (small / "docs/index.md").write_text(page)
    done = build()
    assert done.returncode == 0, done.stdout
    html = (small / "site/index.html").read_text()
    assert "as it was" in html
    assert '<span class="device">recorded</span>' in html
