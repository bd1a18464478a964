// Your bot: fill in decide. The rest is done.
"use strict";

const { bid, minimum, run } = require("./perudo.js");

/**
 * Your call: a bid such as "3x5", or one of question.words.
 *
 * question.hand is your dice, question.dice how many each seat holds, question.quantity and
 * question.face the standing bid (0 and 0 = none); protocol/SPEC.md has the rest. perudo.js helps:
 * legalCalls, legalBids, minimum, count, unseen, outOfTurn, parseBid.
 */
function decide(question) {
  // For now: the smallest bid there is, and a doubt where there is none.
  let [quantity, face] = [Infinity, 0];
  for (const other of [1, 2, 3, 4, 5, 6]) {
    const least = minimum(question, other);
    if (least !== null && least < quantity) [quantity, face] = [least, other];
  }
  return face ? bid(quantity, face) : question.words[0];
}

module.exports = { decide };

if (require.main === module) run(decide, { name: "template-js", version: "1" });
