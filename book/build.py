"""python -m book.build [--serve]: build the site beside the old one and swap, or preview it.

A build that fails leaves the last good site where it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from book.rendering import ROOT


def main(arguments: list[str]) -> int:
    if arguments == ["--serve"]:
        return _mkdocs("serve")
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    new, site, old = (ROOT / name for name in ("site.new", "site", "site.old"))
    shutil.rmtree(new, ignore_errors=True)
    if status := _mkdocs("build", "--strict", "--site-dir", str(new)):
        shutil.rmtree(new, ignore_errors=True)
        kept = " The last good one is still in site/." if site.exists() else ""
        print(f"No new site.{kept}", file=sys.stderr)
        return status
    if site.exists():
        site.rename(old)
    new.rename(site)
    shutil.rmtree(old, ignore_errors=True)
    return 0


def _mkdocs(*arguments: str) -> int:
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", *arguments], cwd=ROOT, env=quiet
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
