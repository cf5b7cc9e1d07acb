// Words of a page filled in: counts and lists. Pure: nothing here touches the page but its language.

/** Words by their names, as a dataset has them. @typedef {Record<string, string | undefined>} Words */

/** Give the words for this number: the one for 1 is named with "One". @param {Words} words @param {string} name @param {number} n */
export const counted = (words, name, n) => ((n === 1 && words[`${name}One`]) || words[name] || "").replace("{n}", String(n));

/** Join what a sentence names, in the page's language: "Aino, Börje and Cécile". @param {string[]} parts */
export const listed = (parts) => {
  const { lang } = document.documentElement;
  return new Intl.ListFormat(lang && lang !== "en" ? lang : "en-GB").format(parts); // no comma before "and"
};
