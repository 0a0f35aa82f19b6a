#!/bin/sh
# Award every game that is put into a folder, as long as this window is open.
#
# Write your folders here, or start it with them: scripts/watch.sh GAMES RESULTS
GAMES=${1:-"$HOME/Bridge/games"}
RESULTS=${2:-"$HOME/Bridge/results"}
# To upload, too: the sites, such as bridgewebs,folder. The settings, GAMES/resultproc.toml, have to allow each.
SITES=${SITES:-}

mkdir -p "$GAMES" "$RESULTS" || exit 6
set -- batch "$GAMES" -o "$RESULTS" --to html,xlsx --index --watch 20
if [ -n "$SITES" ]; then
    set -- "$@" --publish "$SITES" --settings "$GAMES/resultproc.toml"
fi
echo "Games are awarded from $GAMES into $RESULTS. What is to be mended is in $RESULTS/to-do.html."
echo "Close this window to stop."
if command -v resultproc > /dev/null; then
    exec resultproc "$@"
fi
exec python3 "$(dirname "$0")/run" "$@"
