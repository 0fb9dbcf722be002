// A small line chart of the last minute. Hidden from screen readers, because the value is shown as text too.
import { html } from './vendor.js';

const WIDTH = 72;
const HEIGHT = 20;
const MINUTE = 60;

/** `look` is rps or err. */
export function Sparkline({ values, seconds = MINUTE, look = 'rps' }) {
  const most = Math.max(...values, 1);
  const step = WIDTH / (seconds - 1);
  const first = WIDTH - (values.length - 1) * step;
  let line = '';
  values.forEach((value, index) => {
    const x = (first + index * step).toFixed(1);
    const y = (HEIGHT - 1.5 - (value / most) * (HEIGHT - 3)).toFixed(1);
    line += `${index === 0 ? 'M' : 'L'}${x} ${y}`;
  });
  const area = values.length > 1 ? `${line}L${WIDTH} ${HEIGHT}L${first.toFixed(1)} ${HEIGHT}Z` : '';
  return html`<svg class=${`spark ${look}`} width=${WIDTH} height=${HEIGHT} viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    <path class="spark-area" d=${area} /><path class="spark-line" d=${line} />
  </svg>`;
}
