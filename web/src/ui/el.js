// Makes elements without markup, so that no text of the data can become markup.

/**
 * @param {string} tag  "div"; "svg:path" for an element of SVG
 * @param {object} [properties]  Attributes. on...: a listener; class, dataset and style as objects
 *     or texts: style only as an object, because the page forbids style attributes.
 * @param {...(Node|string|number|null|undefined|false)} children
 */
export function el(tag, properties = {}, ...children) {
  const node = tag.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function")
      node.addEventListener(name.slice(2), value);
    else if (name.startsWith("on")) throw new TypeError(`${name} must be a function`);
    else if (name === "style")
      for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
    else if (name === "dataset") Object.assign(node.dataset, value);
    else if (value === true) node.setAttribute(name, "");
    else node.setAttribute(name, String(value));
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      node.append(child instanceof Node ? child : String(child));
  return node;
}
