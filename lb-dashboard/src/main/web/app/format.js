// Numbers and times as text. A dash means "no value".

const NONE = '–';
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const clock = new Intl.DateTimeFormat([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

const missing = (value) => value === null || value === undefined || Number.isNaN(value);

export function count(value) {
  if (missing(value)) return NONE;
  if (value < 1e6) return whole.format(value);
  if (value < 1e9) return `${(value / 1e6).toFixed(2)}M`;
  return `${(value / 1e9).toFixed(2)}G`;
}

/** A rate per second. */
export function rate(value) {
  if (missing(value)) return NONE;
  if (value === 0) return '0';
  return value < 10 ? value.toFixed(1) : whole.format(value);
}

/** Milliseconds with three significant digits. */
export function ms(value) {
  if (missing(value)) return NONE;
  if (value >= 10000) return `${(value / 1000).toFixed(1)} s`;
  if (value >= 999.5) return `${(value / 1000).toFixed(2)} s`;
  if (value >= 100) return `${whole.format(value)} ms`;
  return value >= 10 ? `${value.toFixed(1)} ms` : `${value.toFixed(2)} ms`;
}

export function percent(share) {
  if (missing(share)) return NONE;
  const value = share * 100;
  if (value === 0) return '0 %';
  if (value < 0.1) return '<0.1 %';
  return value < 10 ? `${value.toFixed(1)} %` : `${Math.round(value)} %`;
}

export function bytes(value) {
  if (missing(value)) return NONE;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** A duration in its two largest units. */
export function duration(seconds) {
  if (missing(seconds)) return NONE;
  const s = Math.max(0, Math.floor(seconds));
  if (s < 60) return `${s}s`;
  if (s < 3600) return `${Math.floor(s / 60)}m ${s % 60}s`;
  if (s < 86400) return `${Math.floor(s / 3600)}h ${Math.floor((s % 3600) / 60)}m`;
  return `${Math.floor(s / 86400)}d ${Math.floor((s % 86400) / 3600)}h`;
}

export const timeOfDay = (date) => clock.format(date);

/** Date and time in the browser's time zone, as "2026-11-25 22:46:24"; the page uses this format everywhere. */
export function fullTime(date) {
  const two = (number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${timeOfDay(date)}`;
}

/** Replaces UTC times in a text of the balancer by times in the browser's time zone. */
export const localTimes = (text) => text.replace(INSTANT, (instant) => fullTime(new Date(instant)));

/** The remaining time of a certificate; in hours if less than two days. */
export function timeLeft(seconds) {
  const number = (value, unit) => `${count(value)} ${unit}${value === 1 ? '' : 's'}`;
  if (seconds < 0) return 'expired';
  if (seconds < 7200) return number(Math.floor(seconds / 60), 'minute');
  return seconds < 172800 ? number(Math.floor(seconds / 3600), 'hour') : number(Math.floor(seconds / 86400), 'day');
}
