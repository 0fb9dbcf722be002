// What the API says now: asked for again and again, not while nobody looks.
import { useEffect, useState } from './vendor.js';
import { connection } from './store.js';
import { newestAnswers } from './settled.js';

const NOT_FOUND = 404;

/**
 * `value` is the last answer, null before the first, and stays while a later one to the same path fails; `problem` says why the last one failed,
 * null if it did not. A null path asks nothing. Asks every `period` ms, and at once when path or `news` changes; not again
 * where there is nothing.
 */
export function usePolled(path, period, news) {
  const [known, setKnown] = useState({ value: null, problem: null, path: null });
  const live = connection.value === 'live';
  useEffect(() => {
    if (!live || path === null) return undefined;
    let open = true;
    let timer;
    const answers = newestAnswers();
    const load = async () => {
      if (document.hidden) return;
      const number = answers.ask();
      try {
        const response = await fetch(path);
        const answer = await response.json();
        if (!open || !answers.isNewest(number)) return;
        if (response.ok) setKnown({ value: answer, problem: null, path });
        else setKnown((before) => ({ value: response.status === NOT_FOUND || before.path !== path ? null : before.value, problem: answer.detail, path }));
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
