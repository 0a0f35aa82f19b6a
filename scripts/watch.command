#!/bin/sh
# For a double click on a Mac; the folders are in watch.sh, beside this file.
exec "$(dirname "$0")/watch.sh" "$@"
