// What clients asked for over the last minutes: HTTP requests with p99 and errors, or DNS queries with failures.
import { html, uPlot, useEffect, useLayoutEffect, useRef, useState } from './vendor.js';
import { remember, remembered } from './address.js';
import { state } from './store.js';
import { ms, rate } from './format.js';

const RANGES = [1, 5, 15];
const USUAL_RANGE = 5;
const HEIGHT = 190;
const LEAST_SECONDS = 60;

/** What is drawn of each kind: the names of its series in the history, the first with an area below it. */
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
const STROKES = { rps: '--rps', p99: '--p99', err: '--bad' };

/** A chart stays of its kind. */
export function Chart({ kind, revision, choice }) {
  const [minutes, setMinutes] = useState(rangeOfAddress);
  const choose = (range) => {
    setMinutes(range);
    remember('range', range === USUAL_RANGE ? null : String(range));
  };
  const place = useRef(null);
  const plot = useRef(null);

  useLayoutEffect(() => {
    plot.current = new uPlot(options(kind, place.current.clientWidth), dataOf(kind, minutes), place.current);
    const resize = new ResizeObserver(() => plot.current.setSize({ width: place.current.clientWidth, height: HEIGHT }));
    resize.observe(place.current);
    const repaint = () => requestAnimationFrame(() => plot.current.redraw(false, true));
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    window.addEventListener('ballast-theme', repaint);
    scheme.addEventListener('change', repaint);
    return () => {
      resize.disconnect();
      window.removeEventListener('ballast-theme', repaint);
      scheme.removeEventListener('change', repaint);
      plot.current.destroy();
    };
  }, []);

  useEffect(() => plot.current.setData(dataOf(kind, minutes)), [revision, minutes]);

  const now = KINDS[kind].map(({ key, name, scale }) => `${name} ${text(scale, state.history[key].at(-1))}`).join(', ');
  return html`<figure class="chart">
    <figcaption>
      ${choice}
      ${KINDS[kind].map(({ name, look }) => html`<span class="key"><i class=${`swatch ${look}`}></i>${name}</span>`)}
      <span class="ranges" role="group" aria-label="Time shown">
        ${RANGES.map((range) => html`<button type="button" class="ghost" aria-pressed=${range === minutes}
          onClick=${() => choose(range)}>${range} min</button>`)}
      </span>
    </figcaption>
    <div class="plot" ref=${place} role="img" aria-label=${`Over the last ${minutes} minutes; now ${now}`}></div>
  </figure>`;
}

function rangeOfAddress() {
  const range = Number(remembered('range'));
  return RANGES.includes(range) ? range : USUAL_RANGE;
}

const text = (scale, value) => (scale === 'ms' ? ms(value) : rate(value));

/** The last minutes, or as many as there are; at least one, filled up with a gap on the left. */
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

function options(kind, width) {
  const css = (name) => () => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const axis = {
    stroke: css('--ink-2'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: css('--line'), width: 1 },
    ticks: { show: false },
  };
  const clock = (values) => values.map((v) => new Date(v * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }));
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    padding: [8, kind === 'http' ? 0 : 30, 0, 0],
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    scales: {
      x: { time: true },
      rate: { range: (u, min, max) => [0, Math.max(max * 1.1, 5)] },
      ms: { range: (u, min, max) => [0, Math.max(max * 1.1, 1)] },
    },
    axes: [
      { ...axis, size: 26, space: 90, values: (u, values) => clock(values) },
      { ...axis, scale: 'rate', size: 56, values: (u, values) => values.map(rate) },
      ...(kind === 'http' ? [{ ...axis, scale: 'ms', side: 1, size: 62, grid: { show: false }, values: (u, values) => values.map((v) => (v === 0 ? '0 ms' : ms(v))) }] : []),
    ],
    series: [
      {},
      ...KINDS[kind].map(({ look, scale }) => ({
        scale: scale ?? 'rate',
        stroke: css(STROKES[look]),
        fill: look === 'rps' ? css('--rps-area') : undefined,
        dash: look === 'p99' ? [5, 3] : undefined,
        width: 1.5,
        spanGaps: false,
        points: { show: false },
      })),
    ],
    plugins: [readout(kind)],
  };
}

/** The values under the pointer, beside it. */
function readout(kind) {
  let box;
  return {
    hooks: {
      init: (u) => {
        box = document.createElement('div');
        box.className = 'readout';
        box.hidden = true;
        u.over.appendChild(box);
      },
      setCursor: (u) => {
        const index = u.cursor.idx;
        box.hidden = index === null || index === undefined || u.cursor.left < 0 || u.data[1][index] === null;
        if (box.hidden) return;
        const at = new Date(u.data[0][index] * 1000).toLocaleTimeString([], { hourCycle: 'h23' });
        const values = KINDS[kind].map(({ name, scale }, series) => `${name} ${text(scale, u.data[series + 1][index])}`);
        box.textContent = `${at}  ${values.join('  ')}`;
        const right = u.cursor.left > u.over.clientWidth / 2;
        box.style.transform = `translateX(${right ? u.cursor.left - box.offsetWidth - 10 : u.cursor.left + 10}px)`;
      },
    },
  };
}
