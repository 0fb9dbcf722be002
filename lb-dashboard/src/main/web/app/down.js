// A short list of down backends: one entry per backend while there are few, then grouped.
import { html } from './vendor.js';
import { count, localTimes } from './format.js';

/**
 * Renders down backends as at most `most` spans. `name` returns a backend's text, `common` the text of a group. If
 * there are still too many groups, backends are grouped by the reason alone.
 */
export function brief(down, most, name, common) {
  let groups = down.map((backend) => ({ key: backend.key, who: name(backend), why: localTimes(backend.health.reason) }));
  if (groups.length > most) groups = gathered(down, name, common);
  if (groups.length > most) groups = gathered(down, name, () => '');
  const shown = groups.slice(0, most).map(({ key, who, why }) => html`<span key=${key}><b>${who}</b> ${why}</span>`);
  return groups.length > most ? [...shown, html`<span key="rest" class="rest">and ${count(groups.length - most)} more</span>`] : shown;
}

function gathered(down, name, common) {
  const groups = new Map();
  for (const backend of down) {
    const key = `${common(backend)}: ${backend.health.reason}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(backend);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([key, some]) => ({
    key,
    who: some.length === 1 ? name(some[0]) : `${common(some[0])} ${count(some.length)} backends`.trim(),
    why: localTimes(some[0].health.reason),
  }));
}
