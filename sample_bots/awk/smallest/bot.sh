#!/bin/sh
# Run bot.awk with the awk of this machine. mawk must be told not to wait for a full buffer of input.
case $(awk -W version </dev/null 2>&1) in
  mawk*) set -- -W interactive ;;
esac
exec awk "$@" -f bot.awk
