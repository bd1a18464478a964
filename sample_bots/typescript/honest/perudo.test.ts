// perudo.ts against the vectors of the protocol, whose folder PERUDO_VECTORS names if it is not
// where it is in the arena's sources. Run: npm test

import assert from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { decode, encode } from "@msgpack/msgpack";
import { decide } from "./bot";
import * as perudo from "./perudo";

const FOLDER = process.env.PERUDO_VECTORS ?? join(__dirname, "../../../../protocol/vectors");
const NAMES = readdirSync(FOLDER).flatMap((file) => file.match(/(.*)\.msgpack$/)?.[1] ?? []);
const bytes = (name: string): Buffer => readFileSync(join(FOLDER, `${name}.msgpack`));
const acts = (name: string): perudo.Question[] => (decode(bytes(name)) as perudo.Ask).acts ?? [];

assert(NAMES.length >= 19);

for (const name of NAMES) {
  void test(`${name} decodes to its text, and answers to its acts are legal`, () => {
    const text: unknown = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
    assert.deepStrictEqual(decode(bytes(name)), text);
    assert.deepStrictEqual(decode(encode(text)), text);
    for (const act of acts(name)) assert(perudo.legalCalls(act).includes(decide(act)));
  });
}

void test("the helpers know what is in a question", () => {
  const [act] = acts("ask");
  assert(act);
  assert.deepStrictEqual(perudo.legalBids(act).slice(0, 2), ["3x1", "4x1"]);
  assert.strictEqual(perudo.legalCalls(act).length, 1 + 4 * 8 + 2 * 9);
  assert.deepStrictEqual([perudo.count(act, 3), perudo.count(act, 1)], [3, 1]);
  assert.deepStrictEqual([perudo.unseen(act), perudo.minimum(act, 5)], [5, 2]);
  assert.strictEqual(perudo.outOfTurn(act), false);
  assert.deepStrictEqual(perudo.parseBid("12x3"), [12, 3]);
  assert.strictEqual(perudo.parseBid("dudo"), undefined);

  const [other] = acts("ask_out_of_turn");
  assert(other);
  assert.strictEqual(perudo.outOfTurn(other), true);
  assert.strictEqual(perudo.minimum(other, 5), undefined);
  assert.deepStrictEqual(perudo.legalCalls(other), ["calza", "pass"]);
});
