// For whom this page acts, and what he may do.
import { signal } from './vendor.js';

/** `name` is null where nobody has to log in. */
export const session = signal({ login: false, name: null, role: null, csrf: null });

/** Asks who is logged in; leaves for the login page if somebody should be and is not. */
export async function refresh() {
  try {
    const response = await fetch('/api/v1/session');
    const answer = await response.json();
    if (!response.ok) return;
    session.value = answer;
    if (!answer.role) location.assign('/login');
  } catch {
    // The balancer does not answer; the stream says so.
  }
}

/** Sends a request that changes something. */
export function post(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  if (session.value.csrf) headers['X-CSRF-Token'] = session.value.csrf;
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export async function logOut() {
  try {
    await post('/api/v1/logout', {});
  } finally {
    location.assign('/login');
  }
}
