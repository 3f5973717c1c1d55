// A table that is sorted, searched, shown in pages and saved as CSV.
import {csv} from "../data/csv.js";
import {el} from "./el.js";
import {count, missing, number} from "./format.js";

const isMissing = (value) =>
  value === null || value === undefined || (typeof value === "number" && Number.isNaN(value));

/** Compares two values of a column; missing values are last in both directions. */
export function compareValues(a, b, down = false) {
  const none = isMissing(a),
    other = isMissing(b);
  if (none || other) return none === other ? 0 : none ? 1 : -1;
  const order =
    typeof a === "number" && typeof b === "number"
      ? a - b
      : String(a).localeCompare(String(b), "en", {numeric: true});
  return down ? -order : order;
}

export class Table {
  /**
   * @param {HTMLElement} parent
   * @param {import("./index.js").TableSpec} spec
   * @param {{download: Function}} page
   */
  constructor(parent, spec, page) {
    this.spec = spec;
    this.page = page;
    this.sort = spec.sort ?? null;
    this.text = "";
    this.at = 0;
    this.size = spec.pageSize ?? 20;
    this.body = el("tbody");
    this.head = el("tr");
    this.status = el("span", {class: "table-status", role: "status"});
    this.pages = el("span", {class: "table-pages"});
    this.field = el("input", {
      type: "search",
      placeholder: "search",
      "aria-label": `Search: ${spec.caption}`,
      oninput: () => this.search(this.field.value),
    });
    this.bar = el("div", {class: "table-bar"}, this.field, this.status, this.pages);
    if (spec.csv !== false)
      this.bar.append(
        el(
          "button",
          {
            type: "button",
            class: "small",
            "aria-label": `Save as CSV: ${spec.caption}`,
            title: "Save all rows as CSV",
            onclick: () => page.download(`${spec.caption}.csv`, "text/csv", this.csv()),
          },
          "CSV",
        ),
      );
    this.element = el(
      "div",
      {class: "table"},
      this.bar,
      el(
        "div",
        {class: "table-scroll", tabindex: 0, role: "region", "aria-label": spec.caption},
        el(
          "table",
          {},
          el("caption", {class: "for-readers"}, spec.caption),
          el("thead", {}, this.head),
          this.body,
        ),
      ),
    );
    parent.append(this.element);
    this.update(spec.rows);
  }

  #value(column, row) {
    return column.value ? column.value(row) : row[column.key];
  }

  #cellText(column, row) {
    const value = this.#value(column, row);
    if (column.format) return column.format(value, row);
    if (isMissing(value)) return missing;
    return typeof value === "number" ? number(value) : String(value);
  }

  update(rows) {
    this.rows = rows;
    this.field.hidden = !(this.spec.search ?? rows.length > this.size);
    this.#select();
  }

  search(text) {
    if (this.field.value !== text) this.field.value = text;
    this.text = text.trim().toLowerCase();
    this.at = 0;
    this.#select();
  }

  csv() {
    const columns = this.spec.columns;
    const rows = [
      columns.map((column) =>
        column.unit && column.unit !== "1" ? `${column.label} (${column.unit})` : column.label,
      ),
    ];
    for (const row of this.order) rows.push(columns.map((column) => this.#value(column, row)));
    return csv(rows);
  }

  #select() {
    let rows = Array.from(this.rows);
    if (this.text)
      rows = rows.filter((row) =>
        this.spec.columns.some((column) =>
          this.#cellText(column, row).toLowerCase().includes(this.text),
        ),
      );
    const column = this.sort && this.spec.columns.find((each) => each.key === this.sort.key);
    if (column) {
      const keys = rows.map((row) => this.#value(column, row));
      const down = this.sort.down;
      rows = rows
        .map((row, i) => i)
        .sort((a, b) => compareValues(keys[a], keys[b], down) || a - b)
        .map((i) => rows[i]);
    }
    this.order = rows;
    this.at = Math.min(this.at, Math.max(0, Math.ceil(rows.length / this.size) - 1));
    this.#drawHead();
    this.#draw();
  }

  #drawHead() {
    this.head.replaceChildren(
      ...this.spec.columns.map((column) => {
        const sorted = this.sort?.key === column.key;
        const click = () => {
          this.sort = {key: column.key, down: sorted ? !this.sort.down : !this.#isText(column)};
          this.at = 0;
          this.#select();
          this.head.querySelector(`[data-key="${CSS.escape(column.key)}"]`)?.focus();
        };
        const unit = column.unit && column.unit !== "1" ? el("small", {}, ` ${column.unit}`) : null;
        return el(
          "th",
          {
            scope: "col",
            class: this.#isText(column) ? "text" : "",
            "aria-sort": sorted ? (this.sort.down ? "descending" : "ascending") : "none",
          },
          el(
            "button",
            {
              type: "button",
              title: column.help ?? "Sort",
              dataset: {key: column.key},
              onclick: click,
            },
            column.label,
            unit,
            el(
              "span",
              {class: "arrow", "aria-hidden": "true"},
              sorted ? (this.sort.down ? " ▾" : " ▴") : "",
            ),
          ),
        );
      }),
    );
  }

  #isText(column) {
    if (column.text !== undefined) return column.text;
    const some = this.rows.length ? this.#value(column, this.rows[0]) : 0;
    return typeof some === "string" || column.node !== undefined;
  }

  #draw() {
    const {columns, pick, rowClass} = this.spec;
    const from = this.at * this.size;
    const page = this.order.slice(from, from + this.size);
    this.body.replaceChildren(
      ...page.map((row) => {
        const line = el("tr", {
          class: [rowClass?.(row), pick ? "pick" : ""].filter(Boolean).join(" ") || null,
          tabindex: pick ? 0 : null,
          onclick: pick ? () => pick(row) : null,
          onkeydown: pick ? (event) => event.key === "Enter" && pick(row) : null,
        });
        for (const column of columns) {
          const value = this.#value(column, row);
          const name = [this.#isText(column) ? "text" : "", column.wide ? "wide" : ""]
            .join(" ")
            .trim();
          line.append(
            el(
              "td",
              {class: name || null, "data-value": column.exact && !isMissing(value) ? value : null},
              column.node ? column.node(value, row) : this.#cellText(column, row),
            ),
          );
        }
        return line;
      }),
    );
    if (!page.length)
      this.body.append(
        el(
          "tr",
          {},
          el(
            "td",
            {class: "text muted", colspan: columns.length},
            this.text ? "No row has this text." : "No rows.",
          ),
        ),
      );
    const total = this.order.length;
    this.status.textContent = this.text
      ? `${count(total)} of ${count(this.rows.length)} rows`
      : total > this.size
        ? `${count(total)} rows`
        : "";
    const last = Math.max(0, Math.ceil(total / this.size) - 1);
    const step = (label, text, to) =>
      el(
        "button",
        {
          type: "button",
          class: "small",
          "aria-label": label,
          disabled: to < 0 || to > last || to === this.at,
          onclick: () => ((this.at = to), this.#draw()),
        },
        text,
      );
    this.pages.replaceChildren(
      ...(last > 0
        ? [
            step("First page", "«", 0),
            step("Previous page", "‹", this.at - 1),
            el("span", {}, `${count(this.at + 1)} / ${count(last + 1)}`),
            step("Next page", "›", this.at + 1),
            step("Last page", "»", last),
          ]
        : []),
    );
    this.bar.classList.toggle("bare", this.field.hidden && last === 0);
    this.bar.hidden = this.field.hidden && last === 0 && this.spec.csv === false;
  }
}
