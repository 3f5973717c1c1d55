// A section of the page: a view that is drawn when it is scrolled to.
import {labels} from "../analysis/side-by-side.js";
import {createUi} from "../ui/create.js";
import {el} from "../ui/el.js";

export class Section {
  #drawing = null;
  #pending;

  /**
   * @param {import("../ui/index.js").View} view
   * @param {import("../data/model.js").Report} report
   * @param {object} page  see createUi
   */
  constructor(view, report, page) {
    this.view = view;
    this.report = report;
    this.page = page;
    this.body = el("div", {class: "section-body"});
    // With several runs a section that shows the selected run has its name.
    this.names = report.runs.length > 1 && !view.allRuns && !view.namesRun ? labels(report.runs) : null;
    this.runName = this.names === null ? null : el("span", {class: "run-name"});
    this.element = el(
      "section",
      {id: view.id, class: "section waiting", "aria-labelledby": `${view.id}-title`},
      el("h2", {id: `${view.id}-title`}, view.title, this.runName),
      el("p", {class: "question"}, view.question),
      this.body,
    );
    this.ui = createUi({...page, shown: (f) => this.#pending !== undefined && f(this.#take())});
    this.refresh();
  }

  #take() {
    const argument = this.#pending;
    this.#pending = undefined;
    return argument;
  }

  /** Asks the view whether it has something to show for the selected run. */
  refresh() {
    if (this.names !== null) this.runName.textContent = `run ${this.names[this.page.selected().index]}`;
    let reason;
    try {
      reason = this.view.available(this.report, this.page.selected());
    } catch (error) {
      reason = `This view cannot read the report: ${error.message}`;
    }
    this.available = reason === true;
    this.element.classList.toggle("empty", !this.available);
    if (!this.available) {
      this.#drawing = null;
      this.element.classList.remove("waiting");
      this.ui.clear();
      this.body.replaceChildren(el("p", {class: "reason"}, String(reason)));
    }
  }

  get drawn() {
    return this.#drawing !== null;
  }

  /** Draws the view, once. */
  draw() {
    if (this.available) this.#drawing ??= this.#draw();
    return this.#drawing ?? Promise.resolve();
  }

  async #draw() {
    const run = this.page.selected();
    try {
      if (!this.view.early) await run.load();
      if (run !== this.page.selected()) return undefined; // another run was selected in the meantime
      this.ui.clear();
      this.body.replaceChildren();
      this.element.classList.remove("waiting");
      return await this.view.draw(this.body, this.report, this.ui);
    } catch (error) {
      console.error(error);
      this.element.classList.remove("waiting");
      this.body.append(
        el(
          "p",
          {class: "note bad", role: "alert"},
          `This view could not be drawn: ${error.message}`,
        ),
      );
      return undefined;
    } finally {
      this.element.dataset.drawn = "";
    }
  }

  /** Called when another run was selected. */
  async runChanged(run) {
    const drawn = this.drawn;
    this.refresh();
    if (!this.available || !drawn) return;
    if (!this.view.early) {
      try {
        await run.load();
      } catch {
        /* #draw tells it */
      }
    }
    if (run !== this.page.selected() || (run.rows && this.ui.tellRun(run))) return;
    delete this.element.dataset.drawn;
    this.#drawing = this.#draw();
    await this.#drawing;
  }

  /** Scrolls to the section, draws it, and sends the view an argument. */
  async show(argument) {
    if (argument !== undefined && !this.drawn) this.#pending = argument;
    else if (argument !== undefined) this.ui.tellShow(argument);
    this.element.scrollIntoView({block: "start"});
    await this.draw();
    this.element.scrollIntoView({block: "start"});
  }
}
