#!/bin/sh
# The smallest legal bid, or dudo where there is none: a bot in plain POSIX shell.
#
# It speaks the messages of the protocol as JSON lines (transport = "stdio" in bot.toml). With the
# default of one game at a time an ask holds at most one act, so plain text matching finds its parts.

echo '{"type":"hello","protocol":1,"name":"smallest","language":"sh"}'

while read -r line; do
  case $line in
    '{"type":"ask",'*) ;;
    '{"type":"bye",'*) exit 0 ;;
    '{"type":"refused",'*) echo "$line" >&2; exit 1 ;;
    *) continue ;;
  esac
  id=${line#*\"id\":}; id=${id%%,*}
  call=
  case $line in
    *'"acts":[]'*) ;;
    *)
      most=${line#*\"max_quantity\":}; most=${most%%,*}
      least=${line#*\"min_quantity\":[}; least=${least%%]*}
      words=${line#*\"words\":[}; words=${words%%]*}
      best=999
      face=0
      IFS=,
      for quantity in $least; do
        face=$((face + 1))
        if [ "$quantity" -le "$most" ] && [ "$quantity" -lt "$best" ]; then
          best=$quantity
          call="\"${quantity}x$face\""
        fi
      done
      unset IFS
      [ "$call" ] || call=${words%%,*}
      ;;
  esac
  echo "{\"type\":\"answer\",\"id\":$id,\"calls\":[$call]}"
done
