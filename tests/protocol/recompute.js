// Recomputes all dice of a finished log from its published secret, in a language other than Python,
// after protocol/SPEC.md alone. Usage: node recompute.js games.jsonl; prints what it checked.
"use strict";

const { createHash, createHmac } = require("node:crypto");
const { readFileSync } = require("node:fs");

const hmac = (key, label) => createHmac("sha256", key).update(label).digest();
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest("hex");

/** The first `held` dice of a seat in a round, sorted, as the log writes them. */
function hand(seed, round, seat, held) {
  const dice = [];
  for (let block = 0; dice.length < held; block++)
    for (const byte of hmac(seed, `dice/${round}/${seat}/${block}`))
      if (byte < 252) dice.push((byte % 6) + 1);
  return dice.slice(0, held).sort().join("") || "-";
}

const lines = readFileSync(process.argv[2], "utf8").trimEnd().split("\n").map(JSON.parse);
const header = lines[0];
const secret = Buffer.from(lines.at(-1).secret, "hex");
const wrong = [];
let hands = 0;
let games = 0;
if (sha256(secret) !== header.secret_hash) wrong.push("secret_hash");
for (const game of lines.filter((line) => line.type === "game")) {
  games += 1;
  const seed = hmac(secret, `deal/${game.deal}/${header.public_salt}`);
  const salt = hmac(secret, `salt/${game.game}`).subarray(0, 16);
  if (sha256(salt, seed, Buffer.from(String(game.game))) !== game.commitment)
    wrong.push(`game ${game.game}: commitment`);
  game.hands.forEach((told, at) =>
    told.split(" ").forEach((dice, seat) => {
      const held = dice === "-" ? 0 : dice.length;
      hands += 1;
      if (hand(seed, at + 1, seat, held) !== dice)
        wrong.push(`game ${game.game}, round ${at + 1}, seat ${seat}: ${dice}`);
    }),
  );
}
console.log(JSON.stringify({ games, hands, wrong }));
