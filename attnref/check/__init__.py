"""Tells a stranger's attention what it does right, and which of the known mistakes it makes.

    python -m attnref.check mymodule:attention

Everything is recognised from behaviour: the function is called with inputs that tell mistakes
apart, and what it returns is compared with attention that makes these mistakes on purpose.
"""

from attnref.check.diagnosis import diagnose
from attnref.check.parameters import CannotRun
from attnref.check.report import Finding, Report
from attnref.check.target import load

__all__ = ["CannotRun", "Finding", "Report", "diagnose", "load"]
