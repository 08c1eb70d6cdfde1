/**
 * Finds the caches of modules: the maps that modules create when they are loaded and fill only later. They are emptied
 * between two changes of the code, so that what the first leaves in them does not decide the result of the second. Without
 * that, each change would need a new process, which takes seconds.
 */

/** Each empties a cache. @type {(() => void)[]} */
const caches = [];

/**
 * Watches which maps the modules of a folder create, until the returned function is called.
 *
 * @param {string} folder with a slash at the end
 */
export function watchCaches(folder) {
  let isLoading = true;
  // The lines of the stack: its heading, this function, the constructor, and what calls it.
  const isOfModule = () => isLoading && new Error().stack?.split('\n')[3]?.includes(folder) === true;

  const { Map: PlainMap, WeakMap: PlainWeakMap } = globalThis;
  /** @type {Map<unknown, unknown>[]} */
  const maps = [];
  class WatchedMap extends PlainMap {
    constructor(/** @type {Iterable<readonly [unknown, unknown]> | null} */ entries = null) {
      super();
      for (const [key, value] of entries ?? []) this.set(key, value);
      if (isOfModule()) maps.push(this);
    }
  }

  // A WeakMap cannot be emptied, nor checked for being empty.
  class WatchedWeakMap extends PlainWeakMap {
    /** @type {WeakMap<WeakKey, unknown>} */
    #entries = new PlainWeakMap();
    #isData = false;

    constructor(/** @type {Iterable<readonly [WeakKey, unknown]> | null} */ entries = null) {
      super();
      for (const [key, value] of entries ?? []) this.set(key, value);
      if (!isOfModule()) return;
      caches.push(() => {
        if (!this.#isData) this.#entries = new PlainWeakMap();
      });
    }

    /** @override @param {WeakKey} key */
    get(key) {
      return this.#entries.get(key);
    }

    /** @override @param {WeakKey} key */
    has(key) {
      return this.#entries.has(key);
    }

    /** @override @param {WeakKey} key @param {unknown} value */
    set(key, value) {
      this.#isData ||= isLoading;
      this.#entries.set(key, value);
      return this;
    }

    /** @override @param {WeakKey} key */
    delete(key) {
      return this.#entries.delete(key);
    }
  }

  Object.assign(globalThis, { Map: WatchedMap, WeakMap: WatchedWeakMap });
  return () => {
    isLoading = false;
    Object.assign(globalThis, { Map: PlainMap, WeakMap: PlainWeakMap });
    for (const map of maps) if (map.size === 0) caches.push(() => map.clear());
  };
}

/** Empties all caches that were found. */
export function clearCaches() {
  for (const clear of caches) clear();
}
