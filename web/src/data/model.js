// The report of a page: what the script elements of the file contain.
import {bytesOfBase64, DamagedFile, inflate} from "./encoding.js";
import {Rows} from "./rows.js";

export {DamagedFile, Rows};

/** The newest format of the file that this page reads. */
export const format = 1;

/**
 * @typedef {object} Metric
 * @property {string} name
 * @property {string} unit
 * @property {string} title
 * @property {string} label
 * @property {string} help
 * @property {{integer: boolean, summary: boolean, selected: boolean, upstream: boolean}} flags
 * @property {number|string|null} value  The scalar, or the mean of a summary; "inf" is possible.
 * @property {number} [count]
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [std]
 * @property {number} [median]
 * @property {[number, number][]} [percentiles]
 */

/** A run: the members of the file, and its rows after load(). */
export class Run {
  #header;
  #text;
  #loading = null;

  /**
   * @param {object} members  the run of the file
   * @param {number} index
   * @param {(id: string) => string | null} text  returns the content of a script element
   */
  constructor(members, index, text) {
    Object.assign(this, members);
    this.index = index;
    this.#header = members.rows ?? null;
    this.#text = text;
    /** @type {Rows | null} null until load() has finished */
    this.rows = null;
    /** The number of requests; known before load(). */
    this.count = this.#header?.count ?? 0;
    /** The number of requests that were sent; the file has rows of only some if it is larger. */
    this.total = this.#header?.total ?? this.count;
    /** What the file keeps of the token gaps: {kind, kept, total, rows, histogram}. */
    this.gaps = this.#header?.gaps ?? {
      kind: "none",
      kept: 0,
      total: 0,
      histogram: {edges_ms: [], counts: []},
    };
    /** The limits between the three classes of token gaps, in ms. */
    this.classLimits = this.#header?.class_limits_ms ?? [25, 50];
    /** Texts to which the columns refer: {session, error, finish_reason, class, server}. */
    this.strings = {
      session: [],
      error: [],
      finish_reason: [],
      class: [],
      server: [],
      ...(this.#header?.strings ?? {}),
    };
    this.facts ??= {};
    this.metrics ??= [];
    this.texts ??= [];
    this.axes ??= {};
    this.config ??= {};
    this.environment ??= {};
    this.description ??= {};
    /** A name for headings: the label, else the name. */
    this.title = this.label || this.name || `run ${index + 1}`;
  }

  /** @returns {Metric | undefined} */
  metric(name) {
    return this.metrics.find((each) => each.name === name);
  }

  /** Reads the rows once. @returns {Promise<Rows>} */
  load() {
    return (this.#loading ??= this.#read());
  }

  async #read() {
    if (this.#header === null) {
      this.rows = new Rows({count: 0, columns: []}, new Uint8Array(0));
      return this.rows;
    }
    const text = this.#text(this.#header.id);
    if (text === null)
      throw new DamagedFile(
        `The file has no element ${this.#header.id} with the rows of the requests.`,
      );
    this.rows = new Rows(this.#header, await inflate(bytesOfBase64(text.trim())));
    return this.rows;
  }
}

/**
 * @typedef {object} Report
 * @property {string} title
 * @property {string} generator
 * @property {"run"|"table"} kind
 * @property {Run[]} runs
 * @property {{name: string, unit: string}[]} axes
 * @property {object[]} points
 * @property {object} facts  Of a table; may have `search` and `comparison`.
 */

/** The most labels in a title. */
const mostLabels = 4;

/**
 * The title of the file; for several runs their labels, unless the user gave a title. A file
 * without one has the name of the table, which is that of its first run and "-and-N-more".
 * @param {{title?: string}} file
 * @param {Run[]} runs
 */
export function titleOf(file, runs) {
  const given = String(file.title ?? "inferbench");
  if (runs.length < 2 || !/-and-\d+-more$/.test(given)) return given;
  const names = [...new Set(runs.map((run) => run.title))];
  const more = names.length - mostLabels;
  return `Comparison: ${names.slice(0, mostLabels).join(", ")}` + (more > 0 ? ` and ${more} more` : "");
}

/**
 * @param {(id: string) => string | null} text  returns the content of a script element
 * @returns {Report}
 */
export function readReport(text) {
  const json = text("report");
  if (json === null)
    throw new DamagedFile("This page has no data: inferbench fills it in when it writes a report.");
  let file;
  try {
    file = JSON.parse(json);
  } catch {
    throw new DamagedFile("The data of this page are cut or damaged: its JSON cannot be read.");
  }
  if (typeof file !== "object" || file === null || typeof file.format !== "number")
    throw new DamagedFile("The data of this page do not say which format they have.");
  if (file.format > format)
    throw new DamagedFile(
      `A newer inferbench (${String(file.generator)}) wrote the data of this page ` +
        `in format ${file.format}; the page reads format ${format}.`,
    );
  if (!Array.isArray(file.runs))
    throw new DamagedFile("The data of this page contain no list of runs.");
  const runs = file.runs.map((run, i) => new Run(run, i, text));
  return {
    title: titleOf(file, runs),
    generator: String(file.generator ?? "inferbench"),
    kind: file.kind ?? "run",
    axes: file.axes ?? [],
    points: file.points ?? [],
    facts: file.facts ?? {},
    runs,
    file,
  };
}
