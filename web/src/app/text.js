/** Returns the content of a script element of the file, or null. */
export function contentOf(id) {
  return document.getElementById(id)?.textContent ?? null;
}
