"""python -m proofread"""

from proofread.cli import main

main()
