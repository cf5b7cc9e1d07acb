// Pure: who is under 18 on a day. Days are texts as 2026-05-09.

const ADULT = 18; // years

/**
 * Whether somebody born on this day is under 18 on that day; undefined without a birth date.
 * @param {string} born
 * @param {string} on
 * @returns {boolean | undefined}
 */
export function isMinor(born, on) {
  if (!/^\d{4}-\d\d-\d\d$/.test(born)) return undefined;
  return `${Number(born.slice(0, 4)) + ADULT}`.padStart(4, "0") + born.slice(4) > on;
}
