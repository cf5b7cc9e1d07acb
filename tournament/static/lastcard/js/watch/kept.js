// What a watcher's device keeps, where its browser lets us.

/** Read the value kept under a key; null where there is none, or where the browser refuses to say. */
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text, or with null forget it; gives whether the browser let us. */
export function keep(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
