#!/bin/sh
# Open a page in the browser to award games without a command line, as long as this window is open.
#
# Write your folder here, or start it with it: scripts/open.sh FOLDER
FOLDER=${1:-"$HOME/Bridge/desk"}

if command -v resultproc > /dev/null; then
    exec resultproc open "$FOLDER"
fi
exec python3 "$(dirname "$0")/run" open "$FOLDER"
