// perudo.js against the vectors of the protocol, whose folder PERUDO_VECTORS names if it is not
// where it is in the arena's sources. Run: node --test perudo.test.js
"use strict";

const assert = require("node:assert");
const { readFileSync, readdirSync } = require("node:fs");
const { join } = require("node:path");
const test = require("node:test");

const { decode, encode } = require("@msgpack/msgpack");
const { decide } = require("./bot.js");
const perudo = require("./perudo.js");

const FOLDER = process.env.PERUDO_VECTORS ?? join(__dirname, "../../../protocol/vectors");
const NAMES = readdirSync(FOLDER).flatMap((file) => file.match(/(.*)\.msgpack$/)?.[1] ?? []);
const message = (name) => decode(readFileSync(join(FOLDER, `${name}.msgpack`)));

assert(NAMES.length >= 19);

for (const name of NAMES) {
  test(`${name} decodes to its text, and answers to its acts are legal`, () => {
    const text = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
    assert.deepStrictEqual(message(name), text);
    assert.deepStrictEqual(decode(encode(text)), text);
    for (const act of text.acts ?? []) assert(perudo.legalCalls(act).includes(decide(act)));
  });
}

test("the helpers know what is in a question", () => {
  const [act] = message("ask").acts;
  assert.deepStrictEqual(perudo.legalBids(act).slice(0, 2), ["3x1", "4x1"]);
  assert.strictEqual(perudo.legalCalls(act).length, 1 + 4 * 8 + 2 * 9);
  assert.deepStrictEqual([perudo.count(act, 3), perudo.count(act, 1)], [3, 1]);
  assert.deepStrictEqual([perudo.unseen(act), perudo.minimum(act, 5)], [5, 2]);
  assert.strictEqual(perudo.outOfTurn(act), false);
  assert.deepStrictEqual([perudo.parseBid("12x3"), perudo.parseBid("dudo")], [[12, 3], null]);

  const [other] = message("ask_out_of_turn").acts;
  assert.strictEqual(perudo.outOfTurn(other), true);
  assert.strictEqual(perudo.minimum(other, 5), null);
  assert.deepStrictEqual(perudo.legalCalls(other), ["calza", "pass"]);
});
