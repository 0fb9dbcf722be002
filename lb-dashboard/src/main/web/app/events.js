// The timeline, newest first. Equal events of many backends are collapsed into one line.
import { html, useState } from './vendor.js';
import { revision, state } from './store.js';
import { count, fullTime, localTimes, timeOfDay } from './format.js';
import { addPanel } from './panels.js';

/** Maximum time between equal events that are grouped. */
const TOGETHER_MS = 60000;
/** Minimum number of equal events that are grouped. */
const LEAST = 3;
const SUBJECTS_SHOWN = 100;
const LINES_SHOWN = 200;
const ORIGINS = [
  { name: 'all', of: () => true },
  { name: 'problems', of: ({ text }) => tone(text) === 'is-bad' },
  { name: 'operators', of: ({ origin }) => origin === 'operator' },
  { name: 'overrides', of: ({ origin }) => origin === 'override' },
  { name: 'configuration', of: ({ origin }) => origin === 'file' || origin === 'discovery' },
];
const CLUSTER = { name: 'cluster', of: ({ origin }) => origin === 'cluster' };
const AGENT = { name: 'agents', of: ({ origin }) => origin === 'agent' };
const origins = () => [...ORIGINS, ...(state.cluster ? [CLUSTER] : []), ...(state.agents ? [AGENT] : [])];

function Events() {
  void revision.value; // A component with state is rendered again only for changes of its properties and signals.
  const [words, setWords] = useState('');
  const [kind, setKind] = useState('all');
  const wanted = words.trim().toLowerCase();
  const chosen = origins().find(({ name }) => name === kind) ?? ORIGINS[0];
  const fitting = state.events.filter((event) => chosen.of(event) && (wanted === '' || `${event.subject} ${event.text} ${event.origin}`.toLowerCase().includes(wanted)));
  const lines = grouped(fitting);
  return html`<section class="card events" id="events" tabindex="-1" aria-labelledby="events-title">
    <div class="events-head"><h2 id="events-title">Events</h2>
      ${state.events.length > 0 && html`<span class="choices" role="group" aria-label="Kind of events">${origins().map(({ name }) => html`<button type="button" class="ghost" key=${name}
        aria-pressed=${name === chosen.name} onClick=${() => setKind(name)}>${name}</button>`)}</span>
      <label><span class="unseen">Filter events</span><input type="search" placeholder="Filter events" autocomplete="off" spellcheck="false" value=${words}
        onInput=${(event) => setWords(event.target.value)} /></label>`}</div>
    ${state.events.length === 0 && html`<p class="hint">No events since the start. Backends that go down or recover appear here.</p>`}
    ${state.events.length > 0 && lines.length === 0 && html`<p class="hint">No event matches the filter.</p>`}
    ${lines.length > 0 && html`<ol class="event-list" tabindex="0" aria-label="Events, newest first">
      ${lines.slice(0, LINES_SHOWN).map((line) => (line.events.length < LEAST
        ? line.events.map((event) => html`<${One} key=${event.id} event=${event} />`)
        : html`<${Many} key=${`group ${line.events.at(-1).id}`} line=${line} />`))}
      ${lines.length > LINES_SHOWN && html`<li class="hint">and ${count(lines.length - LINES_SHOWN)} more</li>`}
    </ol>`}
  </section>`;
}

function One({ event }) {
  return html`<li class=${tone(event.text)}>
    <time datetime=${event.time} title=${fullTime(event.at)}>${timeOfDay(event.at)}</time>
    <span class="what"><b>${event.subject}</b> ${localTimes(event.text)}</span>
    <span class="origin">${event.origin}</span>
  </li>`;
}

function Many({ line }) {
  const { events, pool } = line;
  const [newest, oldest] = [events[0], events.at(-1)];
  const [open, setOpen] = useState(false);
  return html`<li class=${tone(newest.text)} data-events=${events.length}>
    <time datetime=${newest.time} title=${`${fullTime(oldest.at)} to ${fullTime(newest.at)}`}>${timeOfDay(newest.at)}</time>
    <span class="what"><button type="button" class="fold-events" aria-expanded=${open} onClick=${() => setOpen(!open)}><b>${pool ? `${pool}: ` : ''}${count(events.length)} ${pool ? 'backends' : 'times'}</b></button> ${localTimes(newest.text)}
      ${open && html`<span class="subjects">${events.slice(0, SUBJECTS_SHOWN).map(({ id, subject, at }) => html`<span key=${id} title=${fullTime(at)}>${subject}</span>`)}${events.length > SUBJECTS_SHOWN && html`<span>and ${count(events.length - SUBJECTS_SHOWN)} more</span>`}</span>`}</span>
    <span class="origin">${newest.origin}</span>
  </li>`;
}

/** Returns the pool of a subject such as "web/10.0.0.1:80"; null if the subject is not a backend. */
function poolOf(subject) {
  const slash = subject.indexOf('/');
  return slash > 0 ? subject.slice(0, slash) : null;
}

/** Groups events, newest first, into lines: one line for equal texts about one pool at about the same time. */
function grouped(events) {
  const lines = [];
  const open = new Map();
  for (const event of events) {
    const pool = poolOf(event.subject);
    const key = `${pool ?? `=${event.subject}`} ${event.origin} ${event.text}`;
    const line = open.get(key);
    if (line && line.events.at(-1).at - event.at <= TOGETHER_MS) {
      line.events.push(event);
    } else {
      const next = { pool, events: [event] };
      open.set(key, next);
      lines.push(next);
    }
  }
  return lines.flatMap((line) => (line.events.length < LEAST ? line.events.map((event) => ({ pool: line.pool, events: [event] })) : [line]))
    .sort((a, b) => b.events[0].id - a.events[0].id);
}

function tone(text) {
  if (/\bdown\b|cannot|fail|refused|rejected|no longer connected|timeout|error|expire[sd]/i.test(text)) return 'is-bad';
  return /\bup\b|\bback\b|ready|renewed/i.test(text) ? 'is-good' : '';
}

addPanel({ id: 'events', name: 'Events', order: 10, place: () => 'right', Panel: Events });
