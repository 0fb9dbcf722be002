// For whom this page acts, and what he may do.
import { signal } from './vendor.js';
import { newestAnswers } from './settled.js';

/** `name` is null where nobody has to log in. */
export const session = signal({ login: false, name: null, role: null, csrf: null });

const answers = newestAnswers();

/** Asks who is logged in; leaves for the login page if somebody should be and is not. */
export async function refresh() {
  const number = answers.ask();
  try {
    const response = await fetch('/api/v1/session');
    const answer = await response.json();
    if (!response.ok || !answers.isNewest(number)) return;
    session.value = answer;
    if (!answer.role) location.assign('/login');
  } catch {
    // The balancer does not answer; the stream says so.
  }
}

/** Sends a request that changes something. */
export const post = (path, body) => send('POST', path, body);

/** The same by another method. */
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
