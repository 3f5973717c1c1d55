// Short statements with their names, beside a table of a section.

/** Nodes with a text between them. */
export const joined = (nodes, between) => nodes.flatMap((node, i) => i === 0 ? [node] : [between, node]);

/**
 * A list of names with their statements; a name without a statement is left out.
 * @param {import("../ui/index.js").Ui} ui
 * @param {[string, (Node|string)[]][]} entries
 */
export function statements(ui, entries) {
  return ui.el("dl", {class: "statements"}, entries.filter(([, nodes]) => nodes.length > 0)
    .map(([name, nodes]) => ui.el("div", {}, ui.el("dt", {}, name), ui.el("dd", {}, nodes))));
}

/** A word in the colour of its kind: "good", "warn", "bad" or "". */
export const word = (ui, {kind, text}) => ui.el("span", {class: `word ${kind}`}, text);

const setting = (ui, {name, values}) => [ui.el("code", {}, name), ` ${values}`];

/**
 * The settings that differ between runs, as a statement.
 * @param {{settings: {name: string, values: string}[], more: number}} found  of settingsOf
 * @param {string} total  "2 runs"
 */
export function settingNodes(ui, {settings, more}, total) {
  if (settings.length === 0) return [`None: all ${total} have the same settings.`];
  return [...joined(settings.map((each) => setting(ui, each)), "; "), more > 0 ? ` and ${more} more` : ""];
}

/** What differs in the client's machine and in versions, as a statement. */
export const environmentNodes = (ui, {environment}) => joined(environment.map((each) => setting(ui, each)), "; ");

/** A button that leads to another section. */
export const sectionLink = (ui, id, text) =>
  ui.el("button", {type: "button", class: "link", onclick: () => ui.show(id)}, text);
