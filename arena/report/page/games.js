// Games: where their records come from, and the list of them.

const data = JSON.parse(byId("data").textContent);
const PER_PAGE = 25;

// --- records ---------------------------------------------------------------------------------------

const records = new Map(); // number -> line of the log
const chunks = new Map(); // number of a file -> promise that it is loaded
for (const record of JSON.parse(byId("games-data").textContent)) records.set(record.game, record);

/** Run a script that lies beside the page; resolves when it has run. */
function run(name) {
  return new Promise((resolve, reject) => {
    const script = make("script", undefined, { src: `${encodeURIComponent(data.beside)}/${name}.js` });
    script.onload = resolve;
    script.onerror = () => reject(new Error(`the file ${script.getAttribute("src")} is missing beside this page`));
    document.head.append(script);
  });
}

/** What the files call. */
function arenaGames(number, list) {
  for (const record of list) records.set(record.game, record);
}

let index = data.index;
function arenaIndex(columns) {
  index = columns;
}

/** The record of a game, or null if the page has none; rejects if its file cannot be loaded. */
async function recordOf(number) {
  if (!records.has(number) && data.beside) {
    await indexed();
    if (!positionOf.has(number)) return null;
    const file = Math.floor(number / data.chunk);
    if (!chunks.has(file)) chunks.set(file, run(file));
    try {
      await chunks.get(file);
    } catch (error) {
      chunks.delete(file);
      throw error;
    }
  }
  return records.get(number) ?? null;
}

// --- index -----------------------------------------------------------------------------------------

const positionOf = new Map(); // number of a game -> its position in the index
let loading = null;

/** Resolves when the index is there. */
function indexed() {
  loading ??= (data.beside ? run("index") : Promise.resolve()).then(() => {
    index.numbers.forEach((number, position) => positionOf.set(number, position));
  });
  return loading;
}

const seatsAt = (position) => index.seats.slice(position * data.players, (position + 1) * data.players);
const placesAt = (position) => index.places.slice(position * data.players, (position + 1) * data.players);
const causesAt = (position) => index.faults[index.numbers[position]] ?? "";

// --- list ------------------------------------------------------------------------------------------

const list = { positions: [], page: 0, by: "number", up: true };

/** Positions of the games that fit the form, in the order that was chosen. */
function choose(form) {
  const bot = form.bot.value === "" ? null : Number(form.bot.value);
  const place = form.place.value === "" ? null : Number(form.place.value);
  const least = form.least.value === "" ? 0 : Number(form.least.value);
  const most = form.most.value === "" ? Infinity : Number(form.most.value);
  const number = form.game.value === "" ? null : Number(form.game.value);
  const fault = form.fault.value;
  const fits = (position) => {
    const rounds = index.rounds[position];
    if (rounds < least || rounds > most) return false;
    if (number !== null && index.numbers[position] !== number) return false;
    const causes = causesAt(position);
    if (fault === "none" && causes) return false;
    if (fault === "any" && !causes) return false;
    if (fault.startsWith("=") && !causes.split(" ").includes(fault.slice(1))) return false;
    if (bot === null && place === null) return true;
    const begin = position * data.players;
    for (let seat = begin; seat < begin + data.players; seat++) {
      if (bot === null || index.seats[seat] !== bot) continue;
      return place === null || index.places[seat] === place;
    }
    return bot === null;
  };
  const found = [];
  for (let position = 0; position < index.numbers.length; position++) if (fits(position)) found.push(position);
  const sign = list.up ? 1 : -1;
  if (list.by === "rounds") found.sort((a, b) => sign * (index.rounds[a] - index.rounds[b]) || a - b);
  else if (!list.up) found.reverse();
  return found;
}

function placesList(position) {
  const seats = seatsAt(position);
  const order = placesAt(position).map((place, seat) => [place, seat]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return make("ol", order.map(([place, seat]) => make("li", [`${place}. `, make("bdi", data.bots[seats[seat]])])));
}

function showList() {
  const { positions, page } = list;
  const pages = Math.max(1, Math.ceil(positions.length / PER_PAGE));
  const rows = positions.slice(page * PER_PAGE, (page + 1) * PER_PAGE).map((position) => {
    const number = index.numbers[position];
    return make("tr", [
      make("th", [make("a", number, { href: `#game=${number}` })], { scope: "row" }),
      make("td", index.rounds[position]),
      make("td", [placesList(position)], { class: "left" }),
      make("td", causesAt(position), { class: "left" }),
    ]);
  });
  byId("games-table").tBodies[0].replaceChildren(...rows);
  byId("games-count").textContent =
    `${positions.length} of ${say(index.numbers.length, "game")}`;
  byId("games-page").textContent = `page ${page + 1} of ${pages}`;
  const [before, after] = byId("games-pages").querySelectorAll("button");
  before.disabled = page === 0;
  after.disabled = page === pages - 1;
}

function filterGames() {
  list.positions = choose(byId("games-filter").elements);
  list.page = 0;
  showList();
}

function fillChoices() {
  const { bot, place, fault } = byId("games-filter").elements;
  data.bots.forEach((name, number) => bot.append(make("option", name, { value: number })));
  for (let n = 1; n <= data.players; n++) place.append(make("option", n === 1 ? "1st (won)" : `in place ${n}`, { value: n }));
  const causes = new Set(Object.values(index.faults).flatMap((text) => text.split(" ")));
  for (const cause of [...causes].sort()) fault.append(make("option", cause, { value: `=${cause}` }));
  place.disabled = true; // a place is some bot's
}

/** Wire the list up once its index is there. */
async function startList() {
  const form = byId("games-filter");
  try {
    await indexed();
  } catch (error) {
    byId("games-count").textContent = `No list of games: ${error.message}.`;
    return;
  }
  fillChoices();
  const changed = () => {
    form.elements.place.disabled = form.elements.bot.value === "";
    if (form.elements.place.disabled) form.elements.place.value = "";
    filterGames();
  };
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));
  for (const head of byId("games-table").querySelectorAll("th[data-by]")) {
    head.querySelector("button").addEventListener("click", () => {
      list.up = list.by === head.dataset.by ? !list.up : true;
      list.by = head.dataset.by;
      for (const other of byId("games-table").querySelectorAll("th[data-by]")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", list.up ? "ascending" : "descending");
      filterGames();
    });
  }
  for (const button of byId("games-pages").querySelectorAll("button")) {
    button.addEventListener("click", () => {
      list.page += Number(button.dataset.page);
      showList();
    });
  }
  for (const link of document.querySelectorAll("[data-show-bot]")) {
    link.addEventListener("click", () => {
      form.reset();
      form.elements.bot.value = link.dataset.showBot;
      changed();
    });
  }
  filterGames();
}
