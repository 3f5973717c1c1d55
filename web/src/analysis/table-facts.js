// Reads the facts of a table, which another program or version may have written: a member with the
// wrong type counts as missing.
import {numberOf} from "../ui/format.js";

/** An object, or null. */
export const objectOf = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;

/** The elements of a list; anything else has none. @returns {any[]} */
export const listOf = (value) => Array.isArray(value) ? value : [];

/** The objects of a list. @returns {object[]} */
export const objectsOf = (value) => listOf(value).filter((each) => objectOf(each) !== null);

/** A text; a number becomes its text, anything else is empty. @returns {string} */
export const textOf = (value) =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

/** The texts of a list that are not empty. @returns {string[]} */
export const textsOf = (value) => listOf(value).map(textOf).filter((text) => text !== "");

/** A number; NaN: missing. @returns {number} */
export const valueOf = numberOf;

/** A number of at least 0 that counts something; NaN: missing. @returns {number} */
export function countOf(value) {
  const count = numberOf(value);
  return count >= 0 && Number.isFinite(count) ? count : NaN;
}
