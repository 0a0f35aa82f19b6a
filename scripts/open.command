#!/bin/sh
# For a double click on a Mac; the folder is in open.sh, beside this file.
exec "$(dirname "$0")/open.sh" "$@"
