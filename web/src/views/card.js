// A card of the verdict.

/**
 * @param {import("../ui/index.js").Ui} ui
 * @param {"good" | "warn" | "bad" | "note" | ""} kind
 * @param {string} title
 * @param {string | Node} big  the statement of the card
 * @param {...Node} children  what it rests on
 */
export function card(ui, kind, title, big, ...children) {
  return ui.el(
    "div",
    {class: `card ${kind}`},
    ui.el("h3", {}, title),
    ui.el("p", {class: "big"}, big),
    ...children,
  );
}

/** A text of the data in one line of at most so many characters. */
export function cut(text, most) {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
