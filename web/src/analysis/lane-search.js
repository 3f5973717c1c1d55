// The search of the swim lanes: a query of words, each of which a request must match.
//   12           the number of the request, or any text below that contains it
//   timeout      part of session, error, finish reason, class, server or outcome
//   session:ab   the field contains it; also error, finish, class, server, status, id, http, turn
//   failed, ok   the outcome
//   ttft>200     a comparison (<, <=, >, >=, =) of ttft, e2el, tpot, gap, queue (ms; 1.5s is 1500),
//                input, output, cached, turn, http

import {statusName} from "./status.js";

const textFields = {
  __proto__: null,
  session: ["session", "session"], error: ["error", "error"], finish: ["finish", "finish_reason"],
  class: ["klass", "class"], server: ["server", "server"],
};
const numberFields = {
  __proto__: null,
  ttft: (rows, i) => rows.ttft[i], e2el: (rows, i) => rows.e2el[i], tpot: (rows, i) => rows.tpot[i],
  gap: (rows, i) => rows.longestGap[i], queue: (rows, i) => rows.start[i] - rows.due[i],
  input: (rows, i) => rows.input[i], output: (rows, i) => rows.output[i],
  cached: (rows, i) => rows.cached[i], turn: (rows, i) => rows.turn[i], http: (rows, i) => rows.http[i],
  id: (rows, i) => rows.sequence[i],
};
const relations = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
};

/** Whether each text of a list contains `word`, which is in lower case. */
function matches(texts, word) {
  const out = new Uint8Array(texts?.length ?? 0);
  for (let i = 0; i < out.length; ++i) out[i] = String(texts[i]).toLowerCase().includes(word) ? 1 : 0;
  return out;
}

/** @returns {(i: number) => boolean} */
function textTest(rows, strings, field, word) {
  const [column, list] = textFields[field];
  const found = matches(strings[list], word);
  const indices = rows[column];
  return (i) => indices[i] >= 0 && found[indices[i]] === 1;
}

function comparison(rows, term) {
  const parts = /^([a-z0-9]+)(<=|>=|<|>|=)([0-9.]+)(ms|s|us)?$/.exec(term);
  if (parts === null || numberFields[parts[1]] === undefined) return null;
  const limit = Number(parts[3]) * (parts[4] === "s" ? 1000 : parts[4] === "us" ? 1e-3 : 1);
  if (Number.isNaN(limit)) return null;
  const value = numberFields[parts[1]];
  const holds = relations[parts[2]];
  return (i) => holds(value(rows, i), limit);
}

function statusTest(rows, word) {
  const byCode = new Map();
  return (i) => {
    const code = rows.status[i];
    let found = byCode.get(code);
    if (found === undefined) byCode.set(code, found = statusName(code).includes(word));
    return found;
  };
}

/** @returns {(i: number) => boolean} the test of a single word */
function testOf(rows, strings, term) {
  const compared = comparison(rows, term);
  if (compared !== null) return compared;
  if (term === "failed") return (i) => !rows.ok(i);
  if (term === "ok") return (i) => rows.ok(i);
  const colon = term.indexOf(":");
  if (colon > 0) {
    const field = term.slice(0, colon);
    const word = term.slice(colon + 1);
    if (textFields[field]) return textTest(rows, strings, field, word);
    if (field === "status") return statusTest(rows, word);
    if (numberFields[field] && /^\d+$/.test(word)) {
      const value = Number(word);
      return (i) => numberFields[field](rows, i) === value;
    }
  }
  const tests = Object.keys(textFields).map((field) => textTest(rows, strings, field, term));
  tests.push(statusTest(rows, term));
  if (/^#?\d+$/.test(term)) {
    const number = Number(term.replace("#", ""));
    tests.push((i) => rows.sequence[i] === number || rows.http[i] === number);
  }
  return (i) => tests.some((test) => test(i));
}

/**
 * @param {import("../data/model.js").Rows} rows
 * @param {Record<string, string[]>} strings the texts of the columns
 * @param {string} query
 * @returns {Uint8Array | null} 1 for each request that matches all words; null: the query is empty
 */
export function search(rows, strings, query) {
  const terms = query.toLowerCase().split(/\s+/).filter((term) => term !== "");
  if (terms.length === 0) return null;
  const tests = terms.map((term) => testOf(rows, strings, term));
  const out = new Uint8Array(rows.count);
  for (let i = 0; i < rows.count; ++i) {
    let all = true;
    for (let t = 0; all && t < tests.length; ++t) all = tests[t](i);
    out[i] = all ? 1 : 0;
  }
  return out;
}
