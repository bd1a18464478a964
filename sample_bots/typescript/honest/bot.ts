// Honest bids what its own hand makes likely and doubts what its hand makes unlikely.
//
// It believes its own dice and the binomial distribution for all others, nothing else. Every
// language's honest decides alike, call by call, because the odds are computed with + - * / on
// 64-bit floats in the order below, and no product is ever an operand of a sum.

import { bid, count, FACES, minimum, run, unseen, type Call, type Question } from "./perudo";

const SURE = 0.75; // it raises the quantity of a bid while the bid stays at least as likely as this
const DOUBT = 0.5; // it doubts what is more likely false than its best bid is true, by more than this

interface Odds {
  exactly: number[];
  atLeast: number[];
}

const known = new Map<number, Odds>();

/** Of `dice` hidden dice each counts with 1/sides: P(exactly k) and P(at least k), k = 0..dice. */
export function odds(dice: number, sides: number): Odds {
  const key = dice * 8 + sides;
  const before = known.get(key);
  if (before) return before;
  let chance = 1;
  for (let k = 0; k < dice; k++) chance = (chance * (sides - 1)) / sides;
  const exactly = [chance];
  for (let k = 0; k < dice; k++) {
    chance = (chance * (dice - k)) / ((k + 1) * (sides - 1));
    exactly.push(chance);
  }
  let sum = 0;
  const atLeast = exactly
    .slice()
    .reverse()
    .map((p) => (sum = sum + p));
  const both = { exactly, atLeast: atLeast.reverse() };
  known.set(key, both);
  return both;
}

/** P(exactly `quantity` dice count for `face`) and P(at least so many), given the own hand. */
function likely(
  question: Question,
  quantity: number,
  face: number,
): { exact: number; true: number } {
  const hidden = unseen(question);
  const need = quantity - count(question, face);
  if (need > hidden) return { exact: 0, true: 0 };
  const { exactly, atLeast } = odds(hidden, [0, face].includes(question.wild) ? 6 : 3);
  return { exact: exactly[need] ?? 0, true: (need > 0 ? atLeast[need] : 1) ?? 0 };
}

/** Tabba and palifico whenever offered; else the best of bid, dudo and calza. */
export function decide(question: Question): Call {
  const { words, max_quantity } = question;
  for (const word of ["tabba", "palifico"] as const) if (words.includes(word)) return word;
  const standing = question.quantity
    ? likely(question, question.quantity, question.face)
    : { exact: 0, true: 1 };
  const exact = words.includes("calza") ? standing.exact : 0;
  if (words.includes("pass")) return exact > 0.5 ? "calza" : "pass";

  // On each face the highest quantity it is sure of, or else the lowest; of these the likeliest,
  // then the highest quantity, then the highest face.
  let best = { chance: -1, quantity: 0, face: 0 };
  for (const face of FACES) {
    let quantity = minimum(question, face);
    if (quantity === undefined) continue;
    while (quantity < max_quantity && likely(question, quantity + 1, face).true >= SURE) quantity++;
    const chance = likely(question, quantity, face).true;
    if (chance > best.chance || (chance === best.chance && quantity >= best.quantity)) {
      best = { chance, quantity, face };
    }
  }

  const isFalse = 1 - standing.true;
  if (exact > 0.5 && exact > isFalse && exact > best.chance) return "calza";
  if (words.includes("dudo") && (best.face === 0 || isFalse > best.chance + DOUBT)) return "dudo";
  return bid(best.quantity, best.face);
}

if (require.main === module) {
  void run(decide, { name: "honest-ts", version: "1", out_of_turn: true });
}
