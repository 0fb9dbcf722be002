// Time series as lines, with the values at the pointer.
import { html, uPlot, useEffect, useLayoutEffect, useRef } from './vendor.js';
import { ms, rate } from './format.js';

const HEIGHT = 190;
/** Steps between the labels of the time axis. Labels without seconds need steps of a minute or more. */
const SECONDS = [1, 5, 10, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
const STROKES = { rps: '--rps', p99: '--p99', warn: '--warn', err: '--bad' };
const DASHES = { p99: [5, 3], warn: [2, 3] };

/** Formats a value of a series: `scale` is 'ms', or undefined for a rate. */
export const text = (scale, value) => (scale === 'ms' ? ms(value) : rate(value));

/**
 * `series` must not change during the life of the component: [{ name, look, scale }], where look is a key of STROKES
 * and 'rps' has a filled area. `data` starts with the times in seconds; it is drawn again when `revision` changes.
 */
export function Plot({ series, data, revision, label, seconds = true }) {
  const place = useRef(null);
  const plot = useRef(null);

  useLayoutEffect(() => {
    plot.current = new uPlot(options(series, seconds, place.current.clientWidth), data, place.current);
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

  useEffect(() => plot.current.setData(data), [revision, data[0].length, data[0][0]]);

  return html`<div class="plot" ref=${place} role="img" aria-label=${label}></div>`;
}

function options(series, seconds, width) {
  const css = (name) => () => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const axis = {
    stroke: css('--ink-2'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: css('--line'), width: 1 },
    ticks: { show: false },
  };
  const times = series.some(({ scale }) => scale === 'ms');
  const clock = (values) => values.map((v) => timeOf(v, seconds));
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    padding: [8, times ? 0 : 30, 0, 0],
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    scales: {
      x: { time: true },
      rate: { range: (u, min, max) => [0, Math.max(max * 1.1, 5)] },
      ms: { range: (u, min, max) => [0, Math.max(max * 1.1, 1)] },
    },
    axes: [
      { ...axis, size: 26, space: 90, incrs: seconds ? SECONDS : SECONDS.filter((step) => step >= 60), values: (u, values) => clock(values) },
      { ...axis, scale: 'rate', size: 56, values: (u, values) => values.map(rate) },
      ...(times ? [{ ...axis, scale: 'ms', side: 1, size: 62, grid: { show: false }, values: (u, values) => values.map((v) => (v === 0 ? '0 ms' : ms(v))) }] : []),
    ],
    series: [
      {},
      ...series.map(({ look, scale }) => ({
        scale: scale ?? 'rate',
        stroke: css(STROKES[look]),
        fill: look === 'rps' ? css('--rps-area') : undefined,
        dash: DASHES[look],
        width: 1.5,
        spanGaps: false,
        points: { show: false },
      })),
    ],
    plugins: [readout(series, seconds)],
  };
}

function timeOf(value, seconds) {
  return new Date(value * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', ...(seconds && { second: '2-digit' }), hourCycle: 'h23' });
}

/** Shows the values at the pointer, next to it. */
function readout(series, seconds) {
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
        const values = series.map(({ name, scale }, i) => `${name} ${text(scale, u.data[i + 1][index])}`);
        box.textContent = `${timeOf(u.data[0][index], seconds)}  ${values.join('  ')}`;
        const right = u.cursor.left > u.over.clientWidth / 2;
        box.style.transform = `translateX(${right ? u.cursor.left - box.offsetWidth - 10 : u.cursor.left + 10}px)`;
      },
    },
  };
}
