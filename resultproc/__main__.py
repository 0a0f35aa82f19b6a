"""``python -m resultproc`` is the command line."""

from resultproc.cli import main

main()
