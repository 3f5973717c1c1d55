// Light and dark: the system's choice, or that of the button.
const names = {
  good: "--good",
  warn: "--warn",
  bad: "--bad",
  grid: "--grid",
  text: "--text",
  muted: "--muted",
  background: "--background",
  raised: "--raised",
  line: "--line",
};

export function makeTheme(root = document.documentElement) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const listeners = new Set();
  let chosen = null; // null: the system's choice
  let printing = false;
  let palette = null;

  function apply() {
    const theme = printing ? "light" : (chosen ?? (system.matches ? "dark" : "light"));
    root.dataset.theme = theme;
    palette = null;
    for (const listener of [...listeners]) listener(get());
  }
  function get() {
    if (palette) return palette;
    const style = getComputedStyle(root);
    const read = (name) => style.getPropertyValue(name).trim();
    palette = {series: Array.from({length: 8}, (_, i) => read(`--series${i}`))};
    for (const [name, property] of Object.entries(names)) palette[name] = read(property);
    return palette;
  }
  system.addEventListener("change", apply);
  root.dataset.theme = system.matches ? "dark" : "light";

  return {
    palette: get,
    dark: () => root.dataset.theme === "dark",
    toggle() {
      chosen = root.dataset.theme === "dark" ? "light" : "dark";
      apply();
    },
    /** Switches to the light theme while the page is printed. */
    print(on) {
      printing = on;
      apply();
    },
    /** @returns a function that ends the listening */
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** The colour of a spec: a name of the palette, or a CSS colour. */
    colour(name, index = 0) {
      const now = get();
      if (name === undefined) return now.series[index % now.series.length];
      const match = /^series(\d+)$/.exec(name);
      if (match) return now.series[match[1] % now.series.length];
      if (typeof now[name] === "string") return now[name];
      return name;
    },
  };
}
