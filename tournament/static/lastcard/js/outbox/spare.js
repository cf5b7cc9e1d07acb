// A second copy of what the server has not taken. A browser writes localStorage to the disk seconds later, or a minute
// where it is written to often: killed before that, it comes back without the last entries. What is in IndexedDB is out
// of its hands in a moment. Where a browser refuses IndexedDB there is the first copy only.

const NAME = "out";

const opened = new Promise((resolve) => {
  try {
    const asked = indexedDB.open("lastcard", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(NAME);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => resolve(null);
  } catch {
    resolve(null);
  }
});

const result = (asked) =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

/** Keep a copy of what is under this key, or none where the text is null. */
export async function spare(key, text) {
  const database = await opened;
  try {
    const change = database.transaction(NAME, "readwrite");
    const store = change.objectStore(NAME);
    if (text === null) store.delete(key);
    else store.put(text, key);
    change.commit(); // also where the page goes away now
  } catch {
    // refused or full: the first copy is there
  }
}

/** Put back what localStorage has lost. */
export async function bringBack() {
  const database = await opened;
  try {
    const store = database.transaction(NAME).objectStore(NAME);
    const [keys, texts] = await Promise.all([result(store.getAllKeys()), result(store.getAll())]);
    keys.forEach((key, index) => {
      if (localStorage.getItem(key) === null) localStorage.setItem(key, texts[index]);
    });
  } catch {
    // refused: there is no copy
  }
}
