// Texts of numbers. "–" stands for a value that is missing.

export const missing = "–";

/** The number of a value of the file, where infinity is the text "inf"; NaN: none. */
export function numberOf(value) {
  if (typeof value === "number") return value;
  if (value === "inf") return Infinity;
  if (value === "-inf") return -Infinity;
  return NaN;
}

const formats = new Map();
function grouped(value, decimals) {
  let format = formats.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat("en-US", {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    formats.set(decimals, format);
  }
  const text = format.format(value);
  return text === "-0" ? "0" : text;
}

/** At least `digits` significant digits of `value`; whole digits are never dropped. */
function significant(value, digits) {
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  // 9.999 has one digit more after rounding than before.
  const rounded = Number(value.toPrecision(digits));
  const place = Math.floor(Math.log10(Math.abs(rounded || value)));
  if (size < -6) return value.toExponential(digits - 1);
  return grouped(value, Math.max(0, digits - 1 - place));
}

function trimmed(text) {
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}

function special(value) {
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "-∞";
  return Number.isFinite(value) ? null : missing;
}

/** Applies `f` to finite numbers only. */
const finite =
  (f) =>
  (given, ...more) => {
    const value = numberOf(given);
    return special(value) ?? f(value, ...more);
  };

export const number = finite((value) => trimmed(significant(value, 4)));

/** Three significant digits, not trimmed, for columns of figures with one unit. */
export const figure = finite((value) => significant(value, 3));

export const exact = finite((value) => String(value));

export const count = finite((value) => grouped(value, Number.isInteger(value) ? 0 : 1));

export const ms = finite((value) =>
  Math.abs(value) >= 1e4 ? `${significant(value / 1000, 3)} s` : `${significant(value, 3)} ms`,
);

/** The least number of three significant digits that is not below `value`. */
function upward(value) {
  if (value === 0) return 0;
  const rounded = Number(value.toPrecision(3));
  const place = Math.floor(Math.log10(Math.abs(rounded)));
  const decimals = Math.min(100, place < -6 ? 2 - place : Math.max(0, 2 - place));
  const near = Number(value.toFixed(decimals));
  return near >= value ? near : Number((near + 10 ** -decimals).toFixed(decimals));
}

/** An upper bound: rounded up in the last digit shown, with its unit if it is in ms. */
export const atMost = finite((value, name) => {
  if (name !== "ms") return significant(upward(value), 3);
  return Math.abs(value) >= 1e4
    ? `${significant(upward(value / 1000), 3)} s`
    : `${significant(upward(value), 3)} ms`;
});

/** An effective number of observations: rounded down, since a part of one certifies nothing. */
export const effective = finite((value) => grouped(Math.floor(value), 0));

export const percent = finite((value) => {
  const hundredth = value * 100;
  if (hundredth === 0) return "0 %";
  // 99.99 % is not 100 %.
  if (hundredth > 99 && hundredth < 100)
    return `${trimmed(grouped(Math.floor(hundredth * 1000) / 1000, 3))} %`;
  return `${trimmed(significant(hundredth, 3))} %`;
});

export const ratio = finite((value) => `${significant(value, 3)}×`);

export const time = finite((value) => {
  const sign = value < 0 ? "-" : "";
  const seconds = Math.abs(value);
  if (seconds < 60) return `${sign}${trimmed(significant(seconds, 3))} s`;
  const whole = Math.floor(seconds);
  const two = (part) => String(part).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  const text =
    minutes < 60
      ? `${minutes}:${two(whole % 60)}`
      : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
  const rest = seconds - whole;
  return sign + text + (rest >= 0.05 && seconds < 600 ? `.${Math.floor(rest * 10)}` : "");
});

export const date = finite((value) => {
  const at = new Date(value);
  return Number.isNaN(at.getTime())
    ? missing
    : at
        .toISOString()
        .replace("T", " ")
        .replace(/\.\d+Z$/, " UTC");
});

export const bytes = finite((value) => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0,
    rest = value;
  while (Math.abs(rest) >= 1024 && at + 1 < units.length) ((rest /= 1024), ++at);
  return `${at ? trimmed(significant(rest, 3)) : grouped(rest, 0)} ${units[at]}`;
});

export const percentile = (p) => `P${String(p)}`;

/** A value with the unit of its metric: "ms", "token/s", "1" (none), "%". */
export const unit = finite((value, name) => {
  if (name === "ms") return ms(value);
  if (name === "B" || name === "byte") return bytes(value);
  const text = Number.isInteger(value) ? count(value) : number(value);
  return !name || name === "1" ? text : `${text} ${name}`;
});

/** The symbol of a unit in a heading: empty for the unit "1". */
export const unitLabel = (name) => (name === "1" ? "" : (name ?? ""));

export const format = {
  ms,
  atMost,
  effective,
  number,
  figure,
  exact,
  count,
  rate: number,
  percent,
  ratio,
  time,
  date,
  bytes,
  percentile,
  unit,
  unitLabel,
};
