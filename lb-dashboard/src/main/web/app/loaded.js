// Loads a resource of the API when it is first shown, and again after every reload of the configuration.
import { useEffect, useState } from './vendor.js';
import { connection, state } from './store.js';

const NOT_FOUND = 404;

/** Returns the id of the last event about a reload; undefined without one. */
const lastReload = () => state.events.find((event) => /reload/i.test(event.text))?.id;

/**
 * Returns the result of `read` for the response, or `missing` after a 404; null before the first response. Loads only
 * while `wanted`.
 */
export function useLoaded(path, wanted, read, missing = null) {
  const [value, setValue] = useState(null);
  const reload = lastReload();
  const live = connection.value === 'live';
  useEffect(() => {
    if (!wanted || !live) return undefined;
    let open = true;
    const load = async () => {
      try {
        const response = await fetch(path);
        const answer = response.ok ? await read(response) : response.status === NOT_FOUND ? missing : null;
        if (open) setValue(answer);
      } catch {
        // The header shows that the connection is lost; the old data stays.
      }
    };
    load();
    return () => {
      open = false;
    };
  }, [path, wanted, live, reload, state.boot]);
  return value;
}
