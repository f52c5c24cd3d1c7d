// IndexedDB as promises: one database, opened when it is first used.
export const answerOf = (request) =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

/**
 * The database of this name; `make(database)` makes its stores the first time.
 *
 * `within(names, mode, work)` does the work with the stores in one transaction, all of it or nothing, and returns its value when that
 * is on the disk. `tell()` says to the other pages on this device that something changed; `onChange(listener)` hears it.
 */
export const databaseOf = (name, make) => {
  let opening = null;

  const open = async () => {
    const request = indexedDB.open(name, 1);
    request.addEventListener("upgradeneeded", () => make(request.result));
    const opened = await answerOf(request);
    // Somebody clears the browser's data under an open page: the next use makes a new database.
    opened.addEventListener("versionchange", () => {
      opened.close();
      opening = null;
    });
    opened.addEventListener("close", () => (opening = null));
    return opened;
  };

  const database = () => (opening ??= open().catch((error) => {
    opening = null;
    throw error;
  }));

  const within = async (names, mode, work) => {
    const transaction = (await database()).transaction(names, mode, { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      transaction.addEventListener("complete", resolve);
      transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("abort")));
    });
    done.catch(() => null); // Whoever waits for the work is told of it there.
    try {
      const value = await work(...names.map((one) => transaction.objectStore(one)));
      await done;
      return value;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // It is over already.
      }
      throw error;
    }
  };

  const changed = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
  return {
    within,
    onChange: (listener) => changed?.addEventListener("message", listener),
    tell: () => changed?.postMessage("changed"),
  };
};
