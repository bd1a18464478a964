// The smallest bot: any legal call, all equally likely.

import { legalCalls, run, type Call, type Question } from "./perudo";

function call(question: Question): Call {
  const calls = legalCalls(question);
  return calls[question.random % calls.length]!;
}

void run(call, { name: "random-ts" });
