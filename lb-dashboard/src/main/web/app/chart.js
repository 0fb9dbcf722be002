// The overview chart: HTTP requests with p99 and errors, or DNS queries with failures.
import { html, useState } from './vendor.js';
import { remember, remembered } from './address.js';
import { Plot, text } from './plot.js';
import { state } from './store.js';

const RANGES = [1, 5, 15];
const USUAL_RANGE = 5;
const LEAST_SECONDS = 60;

/** The series of each kind of chart, named as in the history; the first one has a filled area. */
const KINDS = {
  http: [
    { key: 'rps', name: 'requests/s', look: 'rps' },
    { key: 'p99', name: 'p99', look: 'p99', scale: 'ms' },
    { key: 'errors', name: 'errors/s', look: 'err' },
  ],
  dns: [
    { key: 'qps', name: 'queries/s', look: 'rps' },
    { key: 'dnsFailures', name: 'SERVFAIL/s', look: 'err' },
  ],
};

/** `kind` must not change during the life of the component. */
export function Chart({ kind, revision, choice }) {
  const [minutes, setMinutes] = useState(rangeOfAddress);
  const choose = (range) => {
    setMinutes(range);
    remember('range', range === USUAL_RANGE ? null : String(range));
  };
  const now = KINDS[kind].map(({ key, name, scale }) => `${name} ${text(scale, state.history[key].at(-1))}`).join(', ');
  return html`<figure class="chart">
    <figcaption>
      ${choice}
      ${KINDS[kind].map(({ name, look }) => html`<span class="key"><i class=${`swatch ${look}`}></i>${name}</span>`)}
      <span class="ranges" role="group" aria-label="Time range">
        ${RANGES.map((range) => html`<button type="button" class="ghost" aria-pressed=${range === minutes}
          onClick=${() => choose(range)}>${range} min</button>`)}
      </span>
    </figcaption>
    <${Plot} series=${KINDS[kind]} data=${dataOf(kind, minutes)} revision=${revision} label=${`Over the last ${minutes} minutes; now ${now}`} />
  </figure>`;
}

function rangeOfAddress() {
  const range = Number(remembered('range'));
  return RANGES.includes(range) ? range : USUAL_RANGE;
}

/** Returns the last minutes, or as many as exist; at least one minute, padded on the left. */
function dataOf(kind, minutes) {
  const { time } = state.history;
  const from = Math.max(0, time.length - minutes * 60);
  const shown = [time, ...KINDS[kind].map(({ key }) => state.history[key])].map((series) => series.slice(from));
  const missing = LEAST_SECONDS - shown[0].length;
  if (missing > 0 && shown[0].length > 0) {
    shown[0].unshift(shown[0][0] - missing);
    shown.slice(1).forEach((series) => series.unshift(null));
  }
  return shown;
}
