// What the API says now: asked for again and again, not while nobody looks.
import { useEffect, useState } from './vendor.js';
import { connection } from './store.js';

const NOT_FOUND = 404;

/**
 * `value` is the last answer, null before the first, and stays while a later one fails; `problem` says why the last one failed,
 * null if it did not. A null path asks nothing. Asks every `period` ms, and at once when path or `news` changes; not again
 * where there is nothing.
 */
export function usePolled(path, period, news) {
  const [known, setKnown] = useState({ value: null, problem: null });
  const live = connection.value === 'live';
  useEffect(() => {
    if (!live || path === null) return undefined;
    let open = true;
    let timer;
    const load = async () => {
      if (document.hidden) return;
      try {
        const response = await fetch(path);
        const answer = await response.json();
        if (!open) return;
        if (response.ok) setKnown({ value: answer, problem: null });
        else setKnown(({ value }) => ({ value: response.status === NOT_FOUND ? null : value, problem: answer.detail }));
        if (response.status === NOT_FOUND) clearInterval(timer);
      } catch {
        // The header says that the connection is lost; what was known stays.
      }
    };
    timer = setInterval(load, period);
    load();
    return () => {
      open = false;
      clearInterval(timer);
    };
  }, [path, period, news, live]);
  return known;
}
