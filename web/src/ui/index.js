// What a view may use. A view is a file web/src/views/NAME.js with a default export of type View.
//
// Rules for views: text that comes from the data reaches the page only through textContent (or
// ui.el), never through innerHTML; style attributes are set through element.style or a class,
// because the page's Content-Security-Policy forbids style attributes in markup.

/**
 * @typedef {object} View
 * @property {string} id  The anchor of the section; the name of the file.
 * @property {string} title  The heading of the section.
 * @property {string} question  The question that the section answers, in one sentence.
 * @property {boolean} [early]  True: the view needs no rows and is drawn before they are read.
 * @property {boolean} [allRuns]  True: the view shows all runs and does not depend on the selected
 *     run. Rows of the runs that are not selected must be awaited: `await run.load()`.
 * @property {boolean} [namesRun]  True: the view itself says of which run each of its parts is;
 *     otherwise the heading of the section has the name of the selected run.
 * @property {(report: Report, run: Run) => true | string} available  True, or the reason why the
 *     view has nothing to show, as a sentence. Rows may not have been read yet.
 * @property {(element: HTMLElement, report: Report, ui: Ui) => void | Promise<void>} draw  Fills
 *     the empty element. The rows of the selected run have been read. If another run is selected,
 *     the element is emptied and draw is called again, except if draw called ui.onRun.
 */

/**
 * @typedef {import("../data/model.js").Report} Report
 * @typedef {import("../data/model.js").Run} Run
 * @typedef {import("../data/model.js").Rows} Rows
 */

/**
 * @typedef {object} Axis
 * @property {string} label
 * @property {string} [unit]
 * @property {boolean} [log]  Logarithmic scale; values of 0 or less are not drawn.
 * @property {"linear"|"log"|"symlog"|"sqrt"} [shape]  Instead of log. symlog: linear from -2 to 2,
 *     logarithmic beyond; sqrt: values below 0 are not drawn.
 * @property {boolean} [time]  x only: seconds from the start of the run; zoom is shared by all
 *     charts with a time axis.
 * @property {string} [scale]  y only: name of the scale, default "y" for the first, "y2" for the
 *     second axis (drawn on the right).
 * @property {number} [min]  Fixed lower end. Without it: 0 for a linear y axis, else the data's.
 * @property {number} [max]
 * @property {(value: number) => string} [format]  Text of a tick and of a value in the readout.
 * @property {(min: number, max: number) => number[]} [splits]  Own ticks.
 */

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {ArrayLike<number>} [x]  Default: spec.x.values, else 0, 1, 2... Must ascend for
 *     every kind but "points". NaN in y: a gap.
 * @property {ArrayLike<number>} y  For "band" optional: the middle line.
 * @property {"line"|"points"|"band"|"bars"|"steps"} kind  bars: x is the left edge and `x1` the
 *     right edge (default: the next x); steps: the value holds until the next x.
 * @property {"before"} [hold]  Of steps: the value holds from the x before up to its own x.
 * @property {ArrayLike<number>} [x1]
 * @property {ArrayLike<number>} [base]  Of bars: the y at which each bar begins, for stacked bars; y
 *     is then the height of the bar.
 * @property {ArrayLike<number>} [lower]  Of a band or of error bars of points.
 * @property {ArrayLike<number>} [upper]
 * @property {string} [colour]  Default: the palette's, in order. A colour of ui.palette() is
 *     exchanged when the theme changes if it is given as a name: "series0".."series7", "good",
 *     "warn", "bad", "muted", "text".
 * @property {number} [width]  Of a line in CSS pixels (default 1.5), or diameter of a dot.
 * @property {"dot"|"ring"|"cross"|"square"|"diamond"|"triangle"} [marker]  For points.
 * @property {number[]} [dash]
 * @property {string} [scale]
 * @property {boolean} [hidden]  Switched off in the legend at first.
 * @property {number} [partOf]  Index of the series that stands for this one in the legend and in
 *     the words for readers that do not see the chart: another part of the same curve.
 * @property {boolean} [quiet]  True: without values in the readout.
 * @property {{width?: number, dash?: number[]}} [sample]  The line in the legend of a curve that is
 *     drawn by several series.
 * @property {string[]} [labels]  Texts beside the points, where there is room; lines are separated
 *     by "\n".
 * @property {(index: number) => string} [tip]  More lines for the readout of a point.
 * @property {(index: number) => void} [pick]  Called on a click (or Enter) on a point.
 */

/**
 * @typedef {object} Shade  A span of the x axis.
 * @property {number} from
 * @property {number} to
 * @property {string} label
 * @property {"warmup"|"steady"|"drain"|"bad"|"warn"|"note"} kind
 */

/**
 * @typedef {object} Line  A straight line over the whole chart; give x or y.
 * @property {number} [x]
 * @property {number} [y]
 * @property {string} [scale]
 * @property {string} label
 * @property {"goal"|"good"|"bad"|"note"} kind
 */

/**
 * @typedef {object} ChartSpec
 * @property {string} title
 * @property {string} label  What the chart shows, for readers that do not see it.
 * @property {Axis & {values?: ArrayLike<number>}} x
 * @property {Axis[]} y  One or two axes.
 * @property {Series[]} series
 * @property {Shade[]} [shades]
 * @property {Line[]} [lines]
 * @property {number} [height]  CSS pixels; default 240.
 * @property {() => string} [csv]  Default: the x and y of all series.
 * @property {boolean} [untitled]  The title is only in files, because the heading of the section has it.
 * @property {boolean} [legend]  Default: true if there are two series or more.
 * @property {boolean} [thin]  Default true. Drawing is thinned to what the pixels can show: lines
 *     to first, lowest, highest and last value of each pixel column, dots to one for each place.
 *     So every outlier is drawn. CSV always has all values.
 */

/**
 * @typedef {object} Chart
 * @property {HTMLElement} element
 * @property {(spec: ChartSpec) => void} update  Draws another spec in the same place.
 * @property {(a: number, b: number) => void} zoom  Shows the x values from a to b.
 * @property {() => void} reset
 * @property {() => string} csv
 * @property {() => string} svg
 * @property {() => Promise<Blob>} png
 * @property {() => void} destroy
 */

/**
 * @typedef {object} Column
 * @property {string} key  Unique; the property of the row if `value` is missing.
 * @property {string} label
 * @property {string} [unit]
 * @property {string} [help]  Shown at the heading.
 * @property {(row: any) => any} [value]  What is sorted by and written to CSV.
 * @property {(value: any, row: any) => string} [format]  The text of the cell.
 * @property {(value: any, row: any) => Node} [node]  Instead of format: a node of ui.el.
 * @property {boolean} [text]  Left-aligned; the default for values that are no numbers.
 * @property {boolean} [wide]  May be broken into several lines.
 * @property {boolean} [exact]  Adds data-value with the raw value.
 */

/**
 * @typedef {object} TableSpec
 * @property {string} caption  For readers that do not see the page, and the name of the CSV file.
 * @property {Column[]} columns
 * @property {ArrayLike<any>} rows  Objects, or numbers of rows (then each column has `value`).
 * @property {number} [pageSize]  Default 20; the rest is on further pages.
 * @property {boolean} [search]  A field that keeps the rows with a text. Default: more than 20 rows.
 * @property {{key: string, down?: boolean}} [sort]  The order at first; default: as given.
 * @property {(row: any) => void} [pick]  Makes rows clickable.
 * @property {(row: any) => string} [rowClass]  "good", "warn", "bad", "muted" or "".
 * @property {boolean} [csv]  A button that downloads all rows. Default true.
 */

/**
 * @typedef {object} Format  Texts of numbers; "–" for NaN, null and undefined.
 * @property {(v: number) => string} ms  Milliseconds with three significant digits and their unit:
 *     "0.012 ms", "73.5 ms", "1,368 ms", from ten seconds on "12.3 s".
 * @property {(v: number) => string} number  At most four significant digits: "1,234", "0.01234".
 * @property {(v: number) => string} figure  Three significant digits, not trimmed, for a column of
 *     figures with one unit: "124", "47.8", "13,312".
 * @property {(v: number) => string} exact  All digits that identify the double.
 * @property {(v: number) => string} count  A whole number with separators.
 * @property {(v: number) => string} rate  As number; for values per second.
 * @property {(v: number) => string} percent  A fraction, 0.123 -> "12.3 %".
 * @property {(v: number) => string} ratio  1.25 -> "1.25×".
 * @property {(v: number) => string} time  Seconds of the run: "0.5 s", "1:05", "1:02:03".
 * @property {(v: number) => string} date  Milliseconds since 1970 -> "2026-11-25 02:34:38 UTC".
 * @property {(v: number) => string} bytes  "1.5 MiB".
 * @property {(p: number) => string} percentile  99.9 -> "P99.9".
 * @property {(v: number, unit: string) => string} unit  A value with the unit of a metric.
 * @property {(unit: string) => string} unitLabel  The unit in a heading: "" for "1".
 */

/**
 * @typedef {object} Palette  Colours of the present theme as "#rrggbb".
 * @property {string[]} series  Eight.
 * @property {string} good
 * @property {string} warn
 * @property {string} bad
 * @property {string} grid
 * @property {string} text
 * @property {string} muted
 * @property {string} background
 * @property {string} raised  Background of cards and tables.
 * @property {string} line  Of borders.
 */

/**
 * @typedef {object} Ui
 * @property {() => Run} run  The selected run.
 * @property {(f: (run: Run) => void) => void} onRun  Called, after the rows were read, when another
 *     run is selected. A view that calls it keeps its element and draws again itself.
 * @property {(run: Run) => void} selectRun
 * @property {(element: HTMLElement, spec: ChartSpec) => Chart} chart  Appends a chart.
 * @property {(element: HTMLElement, spec: TableSpec) => {element: HTMLElement,
 *     update: (rows: ArrayLike<any>) => void, search: (text: string) => void}} table
 * @property {(element: HTMLElement, text: string, kind?: "note"|"warn"|"bad"|"good") => HTMLElement}
 *     note  Appends a paragraph.
 * @property {(element: HTMLElement, columns?: number) => HTMLElement} grid  Appends a grid of small
 *     multiples: charts in it have the same size, two or more beside each other.
 * @property {(tag: string, properties?: object, ...children: (Node|string|null)[]) => HTMLElement}
 *     el  Makes an element: el("button", {class: "x", "aria-label": "y", onclick: f}, "text").
 * @property {(element: HTMLElement, label: string, options: {value: string, label: string}[],
 *     value: string, f: (value: string) => void) => HTMLElement} choice  A labelled select.
 * @property {Format} format
 * @property {() => Palette} palette
 * @property {(f: (palette: Palette) => void) => void} onTheme
 * @property {{get: () => [number, number] | null, set: (a: number | null, b?: number) => void,
 *     on: (f: (range: [number, number] | null) => void) => void}} timeRange  The shared zoom in
 *     seconds of the run; null: everything.
 * @property {(f: (printing: boolean) => void) => void} onPrint  For views with an own canvas:
 *     called before printing, when all sections have been drawn and the light theme is set, and
 *     after it.
 * @property {(name: string, mime: string, content: string | Blob) => void} download
 * @property {(rows: ArrayLike<ArrayLike<any>>) => string} csv  The text of a CSV file (RFC 4180);
 *     cells that a spreadsheet would execute are made harmless.
 * @property {(id: string, argument?: any) => void} show  Scrolls to the section with this id, and
 *     sends it the argument.
 * @property {(f: (argument: any) => void) => void} onShow  Called with the argument of show, also
 *     if it came before the section was drawn. swim-lanes takes {row: index}.
 */

export {createUi} from "./create.js";
