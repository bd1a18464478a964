// The conversation with the referee: hello, welcome, then an answer to every ask until bye.
// Copy this file to write a bot of your own; SPEC.md in protocol/ describes every message.
"use strict";

const { decode, encode } = require("@msgpack/msgpack");
const { Dealer } = require("zeromq");

/** Play until the referee says bye. `call` turns a question (an act of an ask) into a call. */
async function run(call, { name = "", version = "", games = 64, out_of_turn = false } = {}) {
  const { ARENA_ENDPOINT: endpoint, ARENA_TOKEN: token = "" } = process.env;
  if (!endpoint) {
    console.error("a bot is started by the arena, which tells it ARENA_ENDPOINT and ARENA_TOKEN");
    process.exit(2);
  }
  const socket = new Dealer({ linger: 100 });
  socket.connect(endpoint);
  const language = `JavaScript (Node ${process.versions.node})`;
  const hello = { type: "hello", protocol: 1, token, name, version, language, games, out_of_turn };
  await socket.send(encode(hello));
  for (;;) {
    const [frame] = await socket.receive();
    const message = decode(frame);
    if (message.type === "refused") {
      console.error(`the arena refused the bot: ${message.reason}`);
      process.exit(1);
    }
    if (message.type === "bye") process.exit(0);
    if (message.type === "ask") {
      await socket.send(encode({ type: "answer", id: message.id, calls: message.acts.map(call) }));
    }
  }
}

module.exports = { run };
