// The conversation with the referee: hello, welcome, then an answer to every ask until bye; the
// messages as types; and what a bot wants to know about a question. Copy this file to write a bot
// of your own; SPEC.md in protocol/ describes every message.

import { decode, encode } from "@msgpack/msgpack";
import { Dealer } from "zeromq";

export const FACES = [1, 2, 3, 4, 5, 6] as const;
export const WORDS = ["dudo", "calza", "palifico", "tabba", "pass"] as const;

export type Word = (typeof WORDS)[number];
export type Bid = `${number}x${number}`;
export type Call = Word | Bid;

/** What to call now: an act of an ask. */
export interface Question {
  game: number;
  seat: number;
  dice: number[];
  round: number;
  hand: number[];
  palifico: boolean;
  wild: number;
  quantity: number;
  face: number;
  calls: [seat: number, call: Call][];
  min_quantity: number[];
  max_quantity: number;
  words: Word[];
  random: number;
  bank_ms: number;
  min_tabba?: number[];
  past?: Past[];
}

/** A game begins. */
export interface Start {
  game: number;
  seat: number;
  names: string[];
  commitment: string;
  ruleset: Record<string, unknown>;
  dice: number[];
}

/** A game is over: places by seat, 1 = winner. */
export interface End {
  game: number;
  places: number[];
  fault: string;
  detail: string;
  past?: Past[];
}

/** A round that is over. */
export interface Past {
  round: number;
  opener: number;
  palifico: boolean;
  hands: number[][];
  calls: [seat: number, call: Call | "forfeit"][];
  count: number;
  dice_after: number[];
}

export interface Welcome {
  type: "welcome";
  protocol: number;
  name: string;
  games: number;
  arena: string;
  move_ms: number;
  bank_ms: number;
  increment_ms: number;
}

export interface Ask {
  type: "ask";
  id: number;
  time_ms: number;
  acts: Question[];
  starts: Start[];
  ends: End[];
}

/** What the referee sends. */
export type Message =
  | Welcome
  | Ask
  | { type: "refused"; protocol: number; reason: string }
  | { type: "bye"; reason: string };

export interface Options {
  name?: string;
  version?: string;
  /** Most games it plays at once, 1 to 64; `question.game` tells them apart. */
  games?: number;
  /** Whether it wants to be asked when another seat is on turn (calza, tabba). */
  out_of_turn?: boolean;
  /** Whether it wants to be told the rounds that are over, in `question.past`. */
  past?: boolean;
  /** Is told of every game that begins. */
  started?: (start: Start) => void;
  /** Is told of every game that is over. */
  ended?: (end: End) => void;
}

/** Play until the referee says bye. `call` turns a question into a call. */
export async function run(
  call: (question: Question) => Call,
  options: Options = {},
): Promise<never> {
  const { started, ended, ...wishes } = options;
  const { ARENA_ENDPOINT: endpoint, ARENA_TOKEN: token = "" } = process.env;
  if (!endpoint) {
    console.error("a bot is started by the arena, which tells it ARENA_ENDPOINT and ARENA_TOKEN");
    process.exit(2);
  }
  const socket = new Dealer({ linger: 100 });
  socket.connect(endpoint);
  const language = `TypeScript (Node ${process.versions.node})`;
  await socket.send(encode({ type: "hello", protocol: 1, token, language, games: 64, ...wishes }));
  for (;;) {
    const [frame] = (await socket.receive()) as [Buffer];
    const message = decode(frame) as Message;
    switch (message.type) {
      case "refused":
        console.error(`the arena refused the bot: ${message.reason}`);
        return process.exit(1);
      case "bye":
        return process.exit(0);
      case "ask": {
        for (const end of message.ends) ended?.(end);
        for (const start of message.starts) started?.(start);
        const calls = message.acts.map((act) => call(act));
        await socket.send(encode({ type: "answer", id: message.id, calls }));
      }
    }
  }
}

/** The call that claims `quantity` dice of `face`: bid(3, 5) is "3x5". */
export function bid(quantity: number, face: number): Bid {
  return `${quantity}x${face}`;
}

/** [quantity, face] of a call that is a bid, undefined for any other call. */
export function parseBid(call: string): [quantity: number, face: number] | undefined {
  const numbers = /^(\d+)x([1-6])$/.exec(call);
  return numbers ? [Number(numbers[1]), Number(numbers[2])] : undefined;
}

/** Whether it is another seat's turn: you may pass, and may not bid. */
export function outOfTurn(question: Question): boolean {
  return question.words.includes("pass");
}

/** Dice in play that are not yours. */
export function unseen(question: Question): number {
  return question.max_quantity - question.hand.length;
}

/** Your own dice that count for a bid on `face` in this round. */
export function count(question: Question, face: number): number {
  return question.hand.filter((die) => die === face || die === question.wild).length;
}

/** The smallest quantity you may bid on `face`, undefined where no bid on it is legal. */
export function minimum(question: Question, face: number): number | undefined {
  const least = question.min_quantity[face - 1] ?? Infinity;
  return least <= question.max_quantity ? least : undefined;
}

/** Every legal bid, by face, then quantity. Without tabba bids. */
export function legalBids(question: Question): Bid[] {
  const bids: Bid[] = [];
  for (const face of FACES) {
    const least = minimum(question, face) ?? Infinity;
    for (let q = least; q <= question.max_quantity; q++) bids.push(bid(q, face));
  }
  return bids;
}

/** Everything you may answer, words first. Without tabba bids; never empty. */
export function legalCalls(question: Question): Call[] {
  return [...question.words, ...legalBids(question)];
}
