// CSV after RFC 4180.

/**
 * The text of one cell. A text that a spreadsheet would execute as a formula gets an apostrophe in
 * front (OWASP, "CSV Injection"); numbers stay numbers.
 */
export function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isNaN(value) ? "" : String(value);
  let text = String(value);
  if (/^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.]+([eE][+-]?\d+)?$/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {Iterable<ArrayLike<any>>} rows */
export function csv(rows) {
  const lines = [];
  for (const row of rows) lines.push(Array.from(row, cell).join(","));
  return lines.join("\r\n") + "\r\n";
}
