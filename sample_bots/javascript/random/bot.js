// The smallest bot: any legal call, all equally likely.
"use strict";

const { legalCalls, run } = require("./perudo.js");

function call(question) {
  const calls = legalCalls(question);
  return calls[question.random % calls.length];
}

run(call, { name: "random-js" });
