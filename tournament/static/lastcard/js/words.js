// Words of a page filled in: counts, lists and times of day. Pure: nothing here touches the page but its language.

/** Words by their names, as a dataset has them. @typedef {Record<string, string | undefined>} Words */

/** Give the words for this number: the one for 1 is named with "One". @param {Words} words @param {string} name @param {number} n */
export const counted = (words, name, n) => ((n === 1 && words[`${name}One`]) || words[name] || "").replace("{n}", String(n));

/** Join what a sentence names, in the page's language: "Aino, Börje and Cécile". @param {string[]} parts */
export const listed = (parts) => {
  const { lang } = document.documentElement;
  return new Intl.ListFormat(lang && lang !== "en" ? lang : "en-GB").format(parts); // no comma before "and"
};

/**
 * A time of day as every page says it: 9:05, in Finnish and Swedish 9.05; in the event's zone, or in this phone's where
 * none is named or this browser does not know it.
 * @param {string | number} at @param {string} [timeZone] @param {boolean} [seconds]
 */
export function dayTime(at, timeZone, seconds) {
  const language = document.documentElement.lang || "en";
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { hour: "2-digit", minute: "2-digit", second: seconds ? "2-digit" : undefined, hourCycle: "h23" };
  const parts = (more = {}) =>
    new Intl.DateTimeFormat(language === "sv" ? "sv-FI" : language, { ...options, ...more }).formatToParts(new Date(at));
  const text = (all) => all.map(({ type, value }) => (type === "hour" ? Number(value) : value)).join("");
  try {
    return text(parts({ timeZone }));
  } catch {
    return text(parts());
  }
}
