# The smallest legal bid, or the first word where there is none: a bot in plain awk.
#
# It speaks the messages of the protocol as JSON lines (transport = "stdio" in bot.toml). As it plays
# one game at a time an ask holds at most one act, so plain text matching finds what it needs.

BEGIN { say("{\"type\":\"hello\",\"protocol\":1,\"name\":\"smallest\",\"language\":\"awk\"}") }

/"type":"bye"/ { exit 0 }
/"type":"refused"/ { print > "/dev/stderr"; exit 1 }
/"type":"ask"/ {
  call = /"acts":\[\]/ ? "" : "\"" choose() "\""
  say("{\"type\":\"answer\",\"id\":" number("id") ",\"calls\":[" call "]}")
}

# The smallest quantity that may be bid, on the lowest face that has it.
function choose(    least, words, most, face, best, on) {
  most = number("max_quantity")
  split(list("min_quantity"), least, ",")
  best = most + 1
  for (face = 1; face <= 6; face++)
    if (least[face] + 0 < best) { best = least[face] + 0; on = face }
  if (on) return best "x" on
  split(list("words"), words, ",")
  gsub(/"/, "", words[1])
  return words[1]
}

# The number after a key, and the inside of the list after a key.
function number(key) {
  match($0, "\"" key "\":[0-9]+")
  return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
}

function list(key) {
  match($0, "\"" key "\":\\[[^]]*")
  return substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
}

function say(line) { print line; fflush() }
