"use strict";

// Tables: sorting, filters, the cross table. What is shown is set as text, never as markup.

const byId = (id) => document.getElementById(id);

/** An element with text or children and attributes. */
function make(tag, inside, attributes = {}) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (Array.isArray(inside)) element.append(...inside);
  else if (inside !== undefined) element.textContent = visible(String(inside));
  return element;
}

/** Control characters, and those that turn the direction of writing, as escapes. */
function visible(text) {
  const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  return text.replace(hidden, (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** "1 game", "2 games" */
const say = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

// What is wider than its box can be scrolled by keyboard: then, and only then, the box takes the focus.
{
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = target.closest(".scroll");
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  });
  for (const box of document.querySelectorAll(".scroll")) {
    watch.observe(box);
    watch.observe(box.firstElementChild);
  }
}

// --- sorting ---------------------------------------------------------------------------------------

/** What a cell is sorted by: a number, else its text; null for a cell that says nothing. */
function sortValue(cell) {
  const text = (cell.dataset.sort ?? cell.textContent).trim();
  if (text === "-" || text === "") return null;
  const number = text.match(/^[-+]?\d+(\.\d+)?/);
  return number ? Number(number[0]) : text.toLowerCase();
}

/** Numbers before words, both before nothing. `sign` turns the first two around. */
function compare(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a !== typeof b) return sign * (typeof a === "number" ? -1 : 1);
  return sign * (a < b ? -1 : a > b ? 1 : 0);
}

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = make("button", head.textContent, { type: "button" });
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row) => [sortValue(row.cells[column]), row]);
      // Names and ranks from the first, numbers from the largest.
      const words = head.classList.contains("left") || head.textContent === "#";
      const now = head.getAttribute("aria-sort");
      const up = now ? now === "descending" : words;
      rows.sort(([a], [b]) => compare(a, b, up ? 1 : -1));
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      body.append(...rows.map(([, row]) => row));
    });
  });
  if (heads[0].textContent === "#") heads[0].setAttribute("aria-sort", "ascending");
}

// --- filters ---------------------------------------------------------------------------------------

for (const input of document.querySelectorAll("input[data-filter]")) {
  const body = byId(input.dataset.filter).tBodies[0];
  const count = byId(input.dataset.filter + "-count");
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    for (const row of body.rows) {
      const name = row.querySelector(".name").textContent.toLowerCase();
      row.hidden = !name.includes(wanted);
      shown += !row.hidden;
    }
    count.textContent = wanted ? `${shown} of ${say(body.rows.length, "bot")}` : "";
  });
}

/** Show the faults that fit the two choices. */
function filterFaults() {
  const [bot, cause] = byId("faults-filter").querySelectorAll("select");
  let shown = 0;
  const items = byId("faults-list").children;
  for (const item of items) {
    item.hidden =
      (bot.value !== "" && item.dataset.bot !== bot.value) ||
      (cause.value !== "" && item.dataset.cause !== cause.value);
    shown += !item.hidden;
  }
  byId("faults-count").textContent = `${shown} of ${items.length} listed`;
}

if (byId("faults-filter")) {
  byId("faults-filter").addEventListener("change", filterFaults);
  filterFaults();
  for (const link of document.querySelectorAll("[data-show-faults]")) {
    link.addEventListener("click", () => {
      byId("faults-filter").querySelector("select").value = link.dataset.showFaults;
      filterFaults();
    });
  }
}

// --- cross table -----------------------------------------------------------------------------------

{
  const table = byId("cross");
  const told = byId("cross-told");
  const nameOf = (row) => row.cells[0].querySelector(".name").textContent;
  const rows = [...table.tBodies[0].rows];

  const tell = (cell) => {
    if (!cell || cell.classList.contains("self")) return;
    const words = cell.querySelector(".unseen").textContent;
    const other = rows[cell.cellIndex - 1];
    told.replaceChildren(
      make("bdi", nameOf(cell.parentElement)), " above ", make("bdi", nameOf(other)), ": ", words,
    );
  };
  const cells = [...table.tBodies[0].querySelectorAll("td")];
  for (const cell of cells) cell.tabIndex = -1;
  if (cells.length) cells[0].tabIndex = 0;
  table.addEventListener("mouseover", (event) => tell(event.target.closest("tbody td")));
  table.addEventListener("focusin", (event) => {
    const cell = event.target.closest("tbody td");
    if (!cell) return;
    for (const other of cells) other.tabIndex = other === cell ? 0 : -1;
    tell(cell);
  });
  const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  table.addEventListener("keydown", (event) => {
    const cell = event.target.closest("tbody td");
    const move = moves[event.key];
    if (!cell || !move) return;
    event.preventDefault();
    const row = rows[rows.indexOf(cell.parentElement) + move[0]];
    const next = row && row.cells[cell.cellIndex + move[1]];
    if (next && next.tagName === "TD") next.focus();
  });
}

// --- bots ------------------------------------------------------------------------------------------

/** A link to a bot opens its section. */
function openTarget() {
  const target = /^#bot-\d+$/.test(location.hash) && byId(location.hash.slice(1));
  if (target) {
    target.open = true;
    target.scrollIntoView();
  }
}
addEventListener("hashchange", openTarget);
openTarget();
