// Requests per second and p99 over the last minutes.
import { html, uPlot, useEffect, useLayoutEffect, useRef, useState } from './vendor.js';
import { state } from './store.js';
import { ms, rate } from './format.js';

const RANGES = [1, 5, 15];
const HEIGHT = 190;
const LEAST_SECONDS = 60;

export function Chart({ revision }) {
  const [minutes, setMinutes] = useState(5);
  const place = useRef(null);
  const plot = useRef(null);

  useLayoutEffect(() => {
    plot.current = new uPlot(options(place.current.clientWidth), dataOf(minutes), place.current);
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

  useEffect(() => plot.current.setData(dataOf(minutes)), [revision, minutes]);

  const { rps, p99 } = state.history;
  const summary = `Requests per second, now ${rate(rps.at(-1))}, and 99th percentile of response time, now ${ms(p99.at(-1))}, over the last ${minutes} minutes.`;
  return html`<figure class="chart">
    <figcaption>
      <span class="key"><i class="swatch rps"></i>requests/s</span>
      <span class="key"><i class="swatch p99"></i>p99</span>
      <span class="key"><i class="swatch err"></i>errors/s</span>
      <span class="ranges" role="group" aria-label="Time shown">
        ${RANGES.map((range) => html`<button type="button" class="ghost" aria-pressed=${range === minutes}
          onClick=${() => setMinutes(range)}>${range} min</button>`)}
      </span>
    </figcaption>
    <div class="plot" ref=${place} role="img" aria-label=${summary}></div>
  </figure>`;
}

/** The last minutes, or as many as there are; at least one, filled up with a gap on the left. */
function dataOf(minutes) {
  const { time, rps, p99, errors } = state.history;
  const wanted = minutes * 60;
  const from = Math.max(0, time.length - wanted);
  const shown = [time.slice(from), rps.slice(from), p99.slice(from), errors.slice(from)];
  const missing = LEAST_SECONDS - shown[0].length;
  if (missing > 0 && shown[0].length > 0) {
    shown[0].unshift(shown[0][0] - missing);
    shown.slice(1).forEach((series) => series.unshift(null));
  }
  return shown;
}

function options(width) {
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
    padding: [8, 0, 0, 0],
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    scales: {
      x: { time: true },
      rps: { range: (u, min, max) => [0, Math.max(max * 1.1, 5)] },
      ms: { range: (u, min, max) => [0, Math.max(max * 1.1, 1)] },
    },
    axes: [
      { ...axis, size: 26, space: 90, values: (u, values) => clock(values) },
      { ...axis, scale: 'rps', size: 56, values: (u, values) => values.map(rate) },
      { ...axis, scale: 'ms', side: 1, size: 62, grid: { show: false }, values: (u, values) => values.map((v) => (v === 0 ? '0 ms' : ms(v))) },
    ],
    series: [
      {},
      { label: 'requests/s', scale: 'rps', stroke: css('--rps'), fill: css('--rps-area'), width: 1.5, points: { show: false } },
      { label: 'p99', scale: 'ms', stroke: css('--p99'), width: 1.5, dash: [5, 3], spanGaps: false, points: { show: false } },
      { label: 'errors/s', scale: 'rps', stroke: css('--bad'), width: 1.5, points: { show: false } },
    ],
    plugins: [readout()],
  };
}

/** The values under the pointer, beside it. */
function readout() {
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
        box.textContent = `${at}  ${rate(u.data[1][index])}/s  p99 ${ms(u.data[2][index])}  errors ${rate(u.data[3][index])}/s`;
        const right = u.cursor.left > u.over.clientWidth / 2;
        box.style.transform = `translateX(${right ? u.cursor.left - box.offsetWidth - 10 : u.cursor.left + 10}px)`;
      },
    },
  };
}
