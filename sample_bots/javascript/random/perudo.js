// The conversation with the referee: hello, welcome, then an answer to every ask until bye; and
// what a bot wants to know about a question. Copy this file to write a bot of your own; SPEC.md in
// protocol/ describes every message.
"use strict";

const { decode, encode } = require("@msgpack/msgpack");
const { Dealer } = require("zeromq");

const FACES = [1, 2, 3, 4, 5, 6];
const ignore = () => {};

/**
 * Play until the referee says bye. `call` turns a question (an act of an ask) into a call.
 *
 * games        most games it plays at once, 1 to 64; a bot that remembers something tells them
 *              apart by `question.game`
 * out_of_turn  whether it wants to be asked when another seat is on turn (calza, tabba)
 * past         whether it wants to be told the rounds that are over, in `question.past`
 * started      is told of every game that begins (a start); `ended` of every one that is over
 */
async function run(call, options = {}) {
  const { name = "", version = "", games = 64, out_of_turn = false, past = false } = options;
  const { started = ignore, ended = ignore } = options;
  const { ARENA_ENDPOINT: endpoint, ARENA_TOKEN: token = "" } = process.env;
  if (!endpoint) {
    console.error("a bot is started by the arena, which tells it ARENA_ENDPOINT and ARENA_TOKEN");
    process.exit(2);
  }
  const socket = new Dealer({ linger: 100 });
  socket.connect(endpoint);
  const language = `JavaScript (Node ${process.versions.node})`;
  const about = { name, version, language, games, out_of_turn, past };
  await socket.send(encode({ type: "hello", protocol: 1, token, ...about }));
  for (;;) {
    const [frame] = await socket.receive();
    const message = decode(frame);
    if (message.type === "refused") {
      console.error(`the arena refused the bot: ${message.reason}`);
      process.exit(1);
    }
    if (message.type === "bye") process.exit(0);
    if (message.type === "ask") {
      for (const end of message.ends) ended(end);
      for (const start of message.starts) started(start);
      const calls = message.acts.map((act) => call(act));
      await socket.send(encode({ type: "answer", id: message.id, calls }));
    }
  }
}

/** The call that claims `quantity` dice of `face`: bid(3, 5) is "3x5". */
function bid(quantity, face) {
  return `${quantity}x${face}`;
}

/** [quantity, face] of a call that is a bid, null for any other call. */
function parseBid(call) {
  const numbers = /^(\d+)x([1-6])$/.exec(call);
  return numbers && [Number(numbers[1]), Number(numbers[2])];
}

/** Whether it is another seat's turn: you may pass, and may not bid. */
function outOfTurn(question) {
  return question.words.includes("pass");
}

/** Dice in play that are not yours. */
function unseen(question) {
  return question.max_quantity - question.hand.length;
}

/** Your own dice that count for a bid on `face` in this round. */
function count(question, face) {
  return question.hand.filter((die) => die === face || die === question.wild).length;
}

/** The smallest quantity you may bid on `face`, null where no bid on it is legal. */
function minimum(question, face) {
  const least = question.min_quantity[face - 1];
  return least <= question.max_quantity ? least : null;
}

/** Every legal bid, by face, then quantity. Without tabba bids. */
function legalBids(question) {
  const bids = [];
  for (const face of FACES) {
    const least = question.min_quantity[face - 1];
    for (let q = least; q <= question.max_quantity; q++) bids.push(bid(q, face));
  }
  return bids;
}

/** Everything you may answer, words first. Without tabba bids; never empty. */
function legalCalls(question) {
  return [...question.words, ...legalBids(question)];
}

module.exports = { run, bid, parseBid, outOfTurn, unseen, count, minimum, legalBids, legalCalls };
