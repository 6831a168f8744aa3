"""python -m tests.browser.install: find a browser for the browser tests, or get one.

An installed Chromium or Chrome comes first, then Playwright's own, then the system's package;
and a Chromium that has no window before one that has, because it opens pages faster.
BROWSER_PATH names another one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("chromium-headless-shell", "chromium")
COMMANDS = (*PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = ("Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium")
WINDOWS = ("Google/Chrome/Application/chrome.exe", "Chromium/Application/chrome.exe")
HELP = "No browser for the tests: install Chromium or Chrome, or set BROWSER_PATH to one."


def find() -> str | None:
    """The browser to launch; None leaves it to Playwright, which launches its own."""
    if named := os.environ.get("BROWSER_PATH"):
        return named
    return next(filter(_runs, _usual_places()), None)


def main() -> int:
    named = os.environ.get("BROWSER_PATH")
    if named and not _runs(named):
        print(f"BROWSER_PATH is {named}, which does not run.", file=sys.stderr)
        return 1
    found = find() or _playwrights_own()
    for get in (_download, _install_package):
        if not found:
            get()
            found = find() or _playwrights_own()
    print(f"Browser for the tests: {found}" if found else HELP, file=None if found else sys.stderr)
    return 0 if found else 1


def _usual_places() -> Iterator[str]:
    yield from filter(None, map(shutil.which, COMMANDS))
    for folder in (Path("/Applications"), Path.home() / "Applications"):
        yield from (str(folder / name) for name in MAC)
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if folder_name := os.environ.get(variable):
            yield from (str(Path(folder_name) / name) for name in WINDOWS)


def _runs(browser: str) -> bool:
    """False for what only stands where a browser should, as the snap package's stub does."""
    if not Path(browser).is_file():
        return False
    return sys.platform == "win32" or _quietly(browser, "--version")  # Windows opens a window


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright  # costs more than all the rest

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if _runs(own) else None


def _download() -> None:
    _quietly(sys.executable, "-m", "playwright", "install", "chromium")


def _install_package() -> None:
    if not shutil.which("apt-get"):
        return
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not root and not _quietly("sudo", "-n", "true"):
        return
    apt = [*([] if root else ["sudo", "-n"]), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    _quietly(*apt, "update")
    any(_quietly(*apt, "install", "-y", package) for package in PACKAGES)


def _quietly(*command: str, seconds: float = 600) -> bool:
    """Whether a command succeeds; one that does not exist does not."""
    try:
        return not subprocess.run(command, capture_output=True, timeout=seconds).returncode
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    sys.exit(main())
