// Your bot: fill in decide. The rest is done.

import { bid, FACES, minimum, run, type Call, type Question } from "./perudo";

/**
 * Your call: a bid such as "3x5", or one of question.words.
 *
 * question.hand is your dice, question.dice how many each seat holds, question.quantity and
 * question.face the standing bid (0 and 0 = none); protocol/SPEC.md has the rest. perudo.ts helps:
 * legalCalls, legalBids, minimum, count, unseen, outOfTurn, parseBid.
 */
export function decide(question: Question): Call {
  // For now: the smallest bid there is, and a doubt where there is none.
  let [quantity, face] = [Infinity, 0];
  for (const other of FACES) {
    const least = minimum(question, other);
    if (least !== undefined && least < quantity) [quantity, face] = [least, other];
  }
  return face ? bid(quantity, face) : question.words[0]!;
}

if (require.main === module) void run(decide, { name: "template-ts", version: "1" });
