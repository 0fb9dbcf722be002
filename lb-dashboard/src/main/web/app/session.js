// The logged-in user and their role.
import { signal } from './vendor.js';
import { newestAnswers } from './debounce.js';

/** `name` is null if no login is configured. */
export const session = signal({ login: false, name: null, role: null, csrf: null });

const answers = newestAnswers();

/** Loads the session; opens the login page if a login is needed. */
export async function refresh() {
  const number = answers.ask();
  try {
    const response = await fetch('/api/v1/session');
    const answer = await response.json();
    if (!response.ok || !answers.isNewest(number)) return;
    session.value = answer;
    if (!answer.role) location.assign('/login');
  } catch {
    // The balancer does not respond; the stream shows it.
  }
}

/** Sends a POST request with side effects. */
export const post = (path, body) => send('POST', path, body);

/** Sends a request with side effects. */
export function send(method, path, body) {
  const headers = { 'Content-Type': 'application/json' };
  if (session.value.csrf) headers['X-CSRF-Token'] = session.value.csrf;
  return fetch(path, { method, headers, body: JSON.stringify(body) });
}

export async function logOut() {
  try {
    await post('/api/v1/logout', {});
  } finally {
    location.assign('/login');
  }
}
