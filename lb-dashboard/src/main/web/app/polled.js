// Polls a resource of the API, except while the page is hidden.
import { useEffect, useState } from './vendor.js';
import { connection } from './store.js';
import { newestAnswers } from './debounce.js';

const NOT_FOUND = 404;

/**
 * Polls a path every `period` ms, and immediately when the path or `news` changes; stops after a 404. A null path
 * disables polling. `value` is the last response, null before the first one; it stays if a later poll of the same path
 * fails. `problem` is the error of the last poll, null on success.
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
        // The header shows that the connection is lost; the old data stays.
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
