// Hooks against races: input is used when typing pauses, and a late response does not replace a newer one.
import { useEffect, useState } from './vendor.js';

const TYPING_MS = 250;

/** Debounces a value. Also returns a function that sets a value at once, for the Enter key. */
export function useDebounced(value) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return [settled, setSettled];
}

/**
 * Discards late responses to repeated requests. `ask()` numbers a request; `isNewest(number)` returns false for its
 * response if a later request was already answered.
 */
export function newestAnswers() {
  let sent = 0;
  let answered = 0;
  return {
    ask: () => ++sent,
    isNewest(number) {
      if (number <= answered) return false;
      answered = number;
      return true;
    },
  };
}
