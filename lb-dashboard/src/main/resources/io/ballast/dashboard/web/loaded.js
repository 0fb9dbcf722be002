// What the API says of the configuration: asked for when it is first looked at, and again when a reload may have changed it.
import { useEffect, useState } from './vendor.js';
import { connection, state } from './store.js';

const NOT_FOUND = 404;

/** The id of the last event that tells of a reload; undefined without any. */
const lastReload = () => state.events.find((event) => /reload/i.test(event.text))?.id;

/** What `read` makes of the answer, or `missing` if the API says that there is none; null before there is one. Asks while `wanted`. */
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
        // The header says that the connection is lost; what was known stays.
      }
    };
    load();
    return () => {
      open = false;
    };
  }, [path, wanted, live, reload, state.boot]);
  return value;
}
