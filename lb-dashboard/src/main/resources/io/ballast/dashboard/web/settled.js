// Hooks and helpers against races: input is used when typing has paused, and a late answer does not replace a newer one.
import { useEffect, useState } from './vendor.js';

const TYPING_MS = 250;

/** Returns the value once it has stayed the same for a moment, and a function that takes a value at once, as Enter does. */
export function useSettled(value) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return [settled, setSettled];
}

/**
 * Answers to repeated questions, of which only the newest counts, whatever arrives first: `ask()` gives each question a
 * number, and `isNewest(number)` is true for an answer unless a later question has been answered.
 */
export function newestAnswers() {
  let asked = 0;
  let answered = 0;
  return {
    ask: () => ++asked,
    isNewest(number) {
      if (number <= answered) return false;
      answered = number;
      return true;
    },
  };
}
