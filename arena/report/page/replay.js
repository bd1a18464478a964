// The replay: one game step by step, with what the bot that is to call knows.
//
// A round of n calls has the steps 0 to n: step k is the moment of call k, step n shows all dice.

const replay = { record: null, rounds: [], round: 0, step: 0 };

// --- reading a record (arena/record/schema.py) -----------------------------------------------------

/** The rounds of a record, with the seat of every call. */
function readRounds(record) {
  return record.calls.map((calls, i) => {
    const hands = record.hands[i].split(" ").map((hand) => (hand === "-" ? [] : [...hand].map(Number)));
    const after = (seat) => {
      do seat = (seat + 1) % hands.length;
      while (!hands[seat].length);
      return seat;
    };
    let turn = record.openers[i];
    const read = calls.split(" ").map((written, k) => {
      const [word, seat] = written.split(":").reverse();
      const call = { seat: seat === undefined ? turn : Number(seat), word, us: record.timing.us[i][k], bid: readBid(word) };
      if (call.bid) turn = after(call.seat);
      return call;
    });
    const change = hands.map(() => 0);
    for (const text of record.changes[i].split(" ")) if (text) change[Number(text[0])] = Number(text.slice(1));
    const wild = record.palifico[i] ? 0 : data.wild;
    return { number: i + 1, opener: record.openers[i], palifico: Boolean(record.palifico[i]), hands, calls: read, count: record.counts[i], change, wild };
  });
}

function readBid(word) {
  const parts = word.match(/^(\d+)x(\d+)$/);
  return parts && { quantity: Number(parts[1]), face: Number(parts[2]) };
}

/** The bid that stands before call k, with its seat; null where there is none. */
function standingBefore(round, k) {
  for (let i = k - 1; i >= 0; i--) if (round.calls[i].bid) return { ...round.calls[i].bid, seat: round.calls[i].seat };
  return null;
}

// --- odds ------------------------------------------------------------------------------------------

/** Whether a die counts for a face. */
const counts = (die, face, wild) => die === face || (wild !== 0 && die === wild);

/** Chances that exactly 0, 1, ... n of n dice count, each with chance p. */
function binomial(n, p) {
  const chances = [(1 - p) ** n];
  for (let k = 1; k <= n; k++) chances.push((chances[k - 1] * (n - k + 1) * p) / (k * (1 - p)));
  return chances;
}

/** Odds of a bid as a seat sees it: `least` that it is right, `exact` that it is exactly so. */
function odds(round, seat, bid) {
  const own = round.hands[seat];
  const unseen = round.hands.reduce((sum, hand) => sum + hand.length, 0) - own.length;
  const held = own.filter((die) => counts(die, bid.face, round.wild)).length;
  const chance = round.wild !== 0 && round.wild !== bid.face ? 1 / 3 : 1 / 6;
  const need = bid.quantity - held;
  const chances = binomial(unseen, chance);
  // A sum that rounding makes 0 or 1 is still neither.
  const sum = chances.slice(Math.max(need, 0)).reduce((total, part) => total + part, 0);
  const open = Math.min(Math.max(sum, Number.MIN_VALUE), 1 - Number.EPSILON);
  return { unseen, held, need, least: need <= 0 ? 1 : need > unseen ? 0 : open, exact: chances[need] ?? 0 };
}

/** A chance in words: what is certain or impossible is called so, and nothing else is. */
function percent(chance) {
  if (chance === 0) return "impossible";
  if (chance === 1) return "certain";
  if (chance < 0.001) return "under 0.1\u00a0%";
  if (chance > 0.999) return "over 99.9\u00a0%";
  return `${(100 * chance).toFixed(1)}\u00a0%`;
}

// --- words -----------------------------------------------------------------------------------------

const nameOf = (seat) => data.bots[replay.record.seats[seat]];
const who = (seat) => make("bdi", nameOf(seat));
const milliseconds = (us) => `${(us / 1000).toFixed(us < 10000 ? 2 : 0)} ms`;
const line = (parts, kind) => make("span", parts, kind ? { class: kind } : {});
const bidText = (bid) => `${bid.quantity}x${bid.face}`;

/** What the bot that is to call sees, and what it calls. */
function tellMove(round, step) {
  const call = round.calls[step];
  const standing = standingBefore(round, step);
  const told = [];
  if (standing) {
    const seen = odds(round, call.seat, standing);
    told.push(line([who(call.seat), ` faces ${bidText(standing)} by `, who(standing.seat), "."]));
    const must = seen.need <= 0 ? ", which is enough: "
      : seen.need > seen.unseen ? `, and all ${seen.unseen} unseen dice are too few: `
        : `, so ${seen.need} of ${seen.unseen} unseen dice must: `;
    const exactly = data.calza ? `; exactly ${standing.quantity}: ${percent(seen.exact)}` : "";
    told.push(line([`It holds ${seen.held} that count${must}${percent(seen.least)}${exactly}.`], "odds"));
  } else {
    told.push(line([who(call.seat), step ? " is to bid." : " opens."]));
  }
  const parts = call.word === "forfeit"
    ? [who(call.seat), " forfeits."]
    : [who(call.seat), ` calls ${call.word} after ${milliseconds(call.us)}`];
  if (call.bid) parts.push(`, which from what it knows holds: ${percent(odds(round, call.seat, call.bid).least)}`);
  if (call.word !== "forfeit") parts.push(".");
  told.push(line(parts, "call"));
  return told;
}

/** How the round ended, in the words of `arena show`. */
function tellEnd(round) {
  const last = round.calls.at(-1);
  const standing = standingBefore(round, round.calls.length);
  const parts = [];
  if (last.word === "forfeit") parts.push([who(last.seat), " forfeits; the round is void"]);
  else if (last.word === "tabba") parts.push([who(last.seat), ` calls tabba on ${bidText(standing)} of `, who(standing.seat)]);
  else if (round.count !== null && standing) {
    const right = last.word === "calza"
      ? (round.count === standing.quantity ? "exact" : "not exact")
      : (round.count >= standing.quantity ? "right" : "wrong");
    parts.push([`${round.count} count for ${bidText(standing)}: ${right}`]);
  }
  round.change.forEach((change, seat) => {
    if (!change) return;
    const left = round.hands[seat].length + change;
    const dice = Math.abs(change) === 1 ? "a die" : `${Math.abs(change)} dice`;
    parts.push(left ? [who(seat), ` ${change < 0 ? "loses" : "gains"} ${dice} (${left} left)`] : [who(seat), " is out"]);
  });
  const told = [line(parts.flatMap((part, i) => (i ? ["; ", ...part] : part)), "result")];
  if (round === replay.rounds.at(-1)) {
    const order = replay.record.places.map((place, seat) => [place, seat]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    told.push(line(["The game is over: ", ...order.flatMap(([place, seat], i) => [`${i ? ", " : ""}${place}. `, who(seat)])], "places"));
  }
  return told;
}

// --- dice ------------------------------------------------------------------------------------------

const SPOTS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** A die as a drawing; 0 for one that is not seen. */
function drawDie(face, counting) {
  const svg = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const kind = face === 0 ? " hidden" : counting ? " counts" : "";
  const die = svg("svg", { class: `die${kind}`, viewBox: "0 0 100 100", "aria-hidden": "true" });
  die.append(svg("rect", { x: 5, y: 5, width: 90, height: 90, rx: 18 }));
  for (const spot of SPOTS[face] ?? []) {
    die.append(svg("circle", { cx: 27 + 23 * (spot % 3), cy: 27 + 23 * Math.floor(spot / 3), r: 9.5 }));
  }
  return die;
}

function drawHand(hand, seen, bid, wild) {
  const counted = (die) => Boolean(bid) && counts(die, bid.face, wild);
  const dice = hand.map((die) => (seen ? drawDie(die, counted(die)) : drawDie(0)));
  const counting = bid ? `, ${hand.filter(counted).length} count` : "";
  const words = !hand.length ? "out" : seen ? `holds ${hand.join(" ")}${counting}` : `${say(hand.length, "die").replace("dies", "dice")}, not seen`;
  return make("div", [...dice, make("span", words, { class: hand.length ? "unseen" : "" })], { class: "hand" });
}

// --- showing ---------------------------------------------------------------------------------------

function show() {
  const { record, rounds } = replay;
  const round = rounds[replay.round];
  const step = replay.step;
  const ended = step === round.calls.length;
  const mover = ended ? null : round.calls[step].seat;
  const standing = standingBefore(round, step);
  const all = byId("all-hands").checked || ended;
  const dice = round.hands.reduce((sum, hand) => sum + hand.length, 0);
  byId("replay-title").textContent = `Game ${record.game}`;
  byId("replay-round").replaceChildren(
    `Block ${record.block}, rotation ${record.rotation}. `,
    `${round.palifico ? "Palifico round" : "Round"} ${round.number} of ${rounds.length}, ${dice} dice, `,
    who(round.opener), ` opens. Step ${step + 1} of ${round.calls.length + 1}.`,
  );
  byId("replay-seats").replaceChildren(...round.hands.map((hand, seat) => {
    const last = round.calls.slice(0, step).filter((call) => call.seat === seat).at(-1);
    const kind = [seat === mover && "mover", !hand.length && "out"].filter(Boolean).join(" ");
    return make("li", [
      make("bdi", nameOf(seat)),
      make("span", last ? last.word : "", { class: "last" }),
      drawHand(hand, all || seat === mover, standing, round.wild),
    ], { class: kind, "data-seat": seat });
  }));
  byId("replay-told").replaceChildren(...(ended ? tellEnd(round) : tellMove(round, step)));
  byId("replay-calls").classList.toggle("many", round.calls.length > 8);
  byId("replay-calls").replaceChildren(...round.calls.map((call, k) => {
    const button = make("button", [make("bdi", nameOf(call.seat), { class: "who" }), make("span", call.word)], { type: "button" });
    button.addEventListener("click", () => moveTo(replay.round, k));
    const item = make("li", [button], { class: k > step ? "later" : "" });
    if (k === step) item.setAttribute("aria-current", "step");
    return item;
  }));
  byId("replay-faults").replaceChildren(...record.faults.map((fault) => make("p", [
    "Fault in round ", String(fault.round), ": ", who(fault.seat), `: ${visible(fault.cause)}: `, make("bdi", fault.detail),
  ], { class: "note" })));
  const first = replay.round === 0 && step === 0;
  const last = replay.round === rounds.length - 1 && ended;
  const disabled = { first, back: first, on: last, last, roundBack: first, roundOn: replay.round === rounds.length - 1, gameBack: neighbour(-1) === null, gameOn: neighbour(1) === null };
  for (const button of document.querySelectorAll("#replay [data-do]")) {
    button.disabled = disabled[button.dataset.do] ?? false;
    if (button.disabled && button === document.activeElement) byId("replay").focus({ preventScroll: true });
  }
  if (document.activeElement === document.body) byId("replay").focus({ preventScroll: true });
}

/** Show a step; the address follows a little later, as browsers allow only so many changes of it. */
function moveTo(round, step) {
  replay.round = round;
  replay.step = step;
  show();
  clearTimeout(replay.timer);
  replay.timer = setTimeout(writeAddress, 200);
}

function writeAddress() {
  if (!replay.record) return;
  const address = `#game=${replay.record.game}&round=${replay.round + 1}&step=${replay.step}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

/** Number of the game before or after this one in the list, null at its end. */
function neighbour(way) {
  if (!replay.record || !index) return null;
  const here = list.positions.indexOf(positionOf.get(replay.record.game));
  const next = here < 0 ? undefined : list.positions[here + way];
  return next === undefined ? null : index.numbers[next];
}

const actions = {
  first: () => moveTo(0, 0),
  last: () => moveTo(replay.rounds.length - 1, replay.rounds.at(-1).calls.length),
  on: () => {
    if (replay.step < replay.rounds[replay.round].calls.length) moveTo(replay.round, replay.step + 1);
    else if (replay.round < replay.rounds.length - 1) moveTo(replay.round + 1, 0);
  },
  back: () => {
    if (replay.step > 0) moveTo(replay.round, replay.step - 1);
    else if (replay.round > 0) moveTo(replay.round - 1, replay.rounds[replay.round - 1].calls.length);
  },
  roundOn: () => replay.round < replay.rounds.length - 1 && moveTo(replay.round + 1, 0),
  roundBack: () => moveTo(Math.max(0, replay.step ? replay.round : replay.round - 1), 0),
  gameOn: () => openGame(neighbour(1)),
  gameBack: () => openGame(neighbour(-1)),
  close: () => {
    replay.record = null;
    byId("replay").hidden = true;
    history.replaceState(null, "", "#games");
    byId("games-title").scrollIntoView();
  },
  hands: () => {
    byId("all-hands").checked = !byId("all-hands").checked;
    show();
  },
};

const KEYS = {
  ArrowRight: "on", ArrowLeft: "back", ArrowDown: "roundOn", ArrowUp: "roundBack", Home: "first", End: "last",
  n: "gameOn", p: "gameBack", h: "hands", Escape: "close",
};

/** Open a game; without a round at its first step. */
async function openGame(number, round = 1, step = 0) {
  if (number === null) return;
  const box = byId("replay");
  replay.wanted = number;
  let record = null;
  let problem = `Game ${number} is not in this page.`;
  try {
    record = await recordOf(number);
  } catch (error) {
    problem = `Game ${number} cannot be shown: ${error.message}.`;
  }
  if (replay.wanted !== number) return; // another one was opened meanwhile
  box.hidden = false;
  box.classList.toggle("missing", record === null);
  replay.record = record;
  if (record === null) {
    byId("replay-title").textContent = problem;
    for (const id of ["replay-round", "replay-told", "replay-seats", "replay-calls", "replay-faults"]) byId(id).replaceChildren();
    for (const button of box.querySelectorAll("[data-do]")) button.disabled = button.dataset.do !== "close";
  } else {
    replay.rounds = readRounds(record);
    const at = Math.min(Math.max(round, 1), replay.rounds.length) - 1;
    moveTo(at, Math.min(Math.max(step, 0), replay.rounds[at].calls.length));
  }
  box.scrollIntoView({ block: "nearest" });
  if (!box.contains(document.activeElement)) box.focus({ preventScroll: true });
}

function readAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (!/^\d+$/.test(wanted.get("game") ?? "")) return;
  openGame(Number(wanted.get("game")), Number(wanted.get("round") ?? 1) || 1, Number(wanted.get("step") ?? 0) || 0);
}

byId("replay").addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) actions[button.dataset.do]();
});
byId("replay").addEventListener("keydown", (event) => {
  const action = KEYS[event.key];
  if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!replay.record && action !== "close") return;
  event.preventDefault();
  actions[action]();
});
byId("all-hands").addEventListener("change", () => replay.record && show());
addEventListener("hashchange", readAddress);
startList().then(() => replay.record && show());
readAddress();
