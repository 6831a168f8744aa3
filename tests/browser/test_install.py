from __future__ import annotations

import pytest

from tests.browser import install


def test_a_named_browser_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER_PATH", "/opt/some/browser")
    assert install.find() == "/opt/some/browser"


def test_a_named_browser_that_does_not_run_is_an_error_that_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BROWSER_PATH", "/opt/some/browser")
    assert install.main() == 1
    assert capsys.readouterr().err == "BROWSER_PATH is /opt/some/browser, which does not run.\n"


def test_an_installed_browser_is_taken_without_looking_further(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("BROWSER_PATH", raising=False)
    monkeypatch.setattr(install, "find", lambda: "/usr/bin/chromium")
    for slow in ("_playwrights_own", "_download", "_install_package"):
        monkeypatch.setattr(install, slow, lambda: pytest.fail("looked further"))
    assert install.main() == 0
    assert capsys.readouterr().out == "Browser for the tests: /usr/bin/chromium\n"


def test_without_any_browser_one_line_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[str] = []
    monkeypatch.delenv("BROWSER_PATH", raising=False)
    monkeypatch.setattr(install, "find", lambda: None)
    monkeypatch.setattr(install, "_playwrights_own", lambda: None)
    monkeypatch.setattr(install, "_download", lambda: tried.append("Playwright's"))
    monkeypatch.setattr(install, "_install_package", lambda: tried.append("the system's"))
    assert install.main() == 1
    assert tried == ["Playwright's", "the system's"]
    assert capsys.readouterr().err.count("\n") == 1
