// Sizes of the swim lanes in CSS pixels.

/** The width of the names at the left. */
export const gutter = 116;
/** The height of the time axis. */
export const axis = 44;
/** The most that the lanes scroll over; browsers limit the height of an element. */
export const mostHeight = 8e6;
