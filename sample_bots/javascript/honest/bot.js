// Honest bids what its own hand makes likely and doubts what its hand makes unlikely.
//
// It believes its own dice and the binomial distribution for all others, nothing else. Every
// language's honest decides alike, call by call, because the odds are computed with + - * / on
// 64-bit floats in the order below, and no product is ever an operand of a sum.
"use strict";

const { run } = require("./perudo.js");

const SURE = 0.75; // it raises the quantity of a bid while the bid stays at least as likely as this
const DOUBT = 0.5; // it doubts what is more likely false than its best bid is true, by more than this

const known = new Map();

/** Of `dice` hidden dice each counts with 1/sides: P(exactly k) and P(at least k), k = 0..dice. */
function odds(dice, sides) {
  const key = dice * 8 + sides;
  if (known.has(key)) return known.get(key);
  let chance = 1;
  for (let k = 0; k < dice; k++) chance = (chance * (sides - 1)) / sides;
  const exactly = [chance];
  for (let k = 0; k < dice; k++) {
    chance = (chance * (dice - k)) / ((k + 1) * (sides - 1));
    exactly.push(chance);
  }
  const atLeast = exactly.slice();
  for (let k = dice - 1; k >= 0; k--) atLeast[k] = atLeast[k + 1] + exactly[k];
  known.set(key, [exactly, atLeast]);
  return [exactly, atLeast];
}

/** P(exactly `quantity` dice count for `face`) and P(at least so many), given the own hand. */
function likely({ hand, wild, max_quantity }, quantity, face) {
  const unseen = max_quantity - hand.length;
  const own = hand.filter((die) => die === face || die === wild).length;
  const need = quantity - own;
  if (need > unseen) return [0, 0];
  const [exactly, atLeast] = odds(unseen, wild === 0 || wild === face ? 6 : 3);
  return need < 0 ? [0, 1] : [exactly[need], need > 0 ? atLeast[need] : 1];
}

/** Tabba and palifico whenever offered; else the best of bid, dudo and calza. */
function decide(question) {
  const { words, min_quantity, max_quantity } = question;
  for (const word of ["tabba", "palifico"]) if (words.includes(word)) return word;
  let [exact, isTrue] = question.quantity
    ? likely(question, question.quantity, question.face)
    : [0, 1];
  if (!words.includes("calza")) exact = 0;
  if (words.includes("pass")) return exact > 0.5 ? "calza" : "pass";

  // On each face the highest quantity it is sure of, or else the lowest; of these the likeliest,
  // then the highest quantity, then the highest face.
  let [chance, most, on] = [-1, 0, 0];
  for (let face = 1; face <= 6; face++) {
    let quantity = min_quantity[face - 1];
    if (quantity > max_quantity) continue;
    while (quantity < max_quantity && likely(question, quantity + 1, face)[1] >= SURE) quantity++;
    const p = likely(question, quantity, face)[1];
    if (p > chance || (p === chance && quantity >= most)) [chance, most, on] = [p, quantity, face];
  }

  const isFalse = 1 - isTrue;
  if (exact > 0.5 && exact > isFalse && exact > chance) return "calza";
  if (words.includes("dudo") && (most === 0 || isFalse > chance + DOUBT)) return "dudo";
  return `${most}x${on}`;
}

module.exports = { decide, odds };

if (require.main === module) run(decide, { name: "honest-js", version: "1", out_of_turn: true });
