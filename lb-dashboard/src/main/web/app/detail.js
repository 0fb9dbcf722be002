// The details of one backend, polled once a second while the dialog is open.
import { html, useEffect, useLayoutEffect, useRef, useState } from './vendor.js';
import { bytes, count, duration, fullTime, localTimes, ms, percent, rate } from './format.js';
import { Commands } from './commands.js';
import { Decision } from './decision.js';
import { newestAnswers } from './debounce.js';

export function Detail({ backend, onClose }) {
  const dialog = useRef(null);
  const [data, setData] = useState(null);
  const [gone, setGone] = useState(false);
  const [answers] = useState(newestAnswers);

  useLayoutEffect(() => dialog.current.showModal(), []);
  useEffect(() => {
    let open = true;
    const load = async () => {
      const number = answers.ask();
      try {
        const response = await fetch(`/api/v1/pools/${encodeURIComponent(backend.pool)}/backends/${encodeURIComponent(backend.addr)}`);
        const body = await response.json();
        if (!open || !answers.isNewest(number)) return;
        setGone(response.status === 404);
        if (response.ok) setData(body);
      } catch {
        // The header shows that the connection is lost; the old data stays.
      }
    };
    load();
    const timer = setInterval(load, 1000);
    return () => {
      open = false;
      clearInterval(timer);
    };
  }, [backend.key]);

  // The response to a command is newer than that of a poll that was sent before it.
  const done = (answer, order) => {
    if (!answers.isNewest(answers.ask())) return;
    if (order.verb === 'remove') setGone(true);
    else setData(answer);
  };

  return html`<dialog ref=${dialog} onClose=${onClose} onClick=${(e) => e.target === dialog.current && dialog.current.close()} aria-labelledby="detail-title">
    <div class="detail">
      <div class="detail-head"><h2 id="detail-title">${backend.addr}</h2><span class="meta">pool ${backend.pool}${data?.backup && ', backup: used only while no other backend can serve'}</span>
        <button type="button" class="ghost" onClick=${() => dialog.current.close()}>Close</button></div>
      ${gone && html`<p class="check-bad">The backend was removed from the pool${data && '; these are its last values'}.</p>`}
      ${data && !gone && html`<${Commands} data=${data} onDone=${done} />`}
      ${data ? html`<${Facts} data=${data} />` : !gone && html`<p class="hint">Loading…</p>`}
      ${data && !gone && html`<${Decision} backend=${backend} />`}
    </div>
  </dialog>`;
}

function Facts({ data }) {
  const check = data.last_check;
  return html`<p class=${`detail-state is-${data.state}`}><b>${data.state}</b> since ${fullTime(new Date(data.since))}: ${localTimes(data.reason)} (by ${data.origin})</p>
    <div class="facts">
      <${List} title="Traffic" entries=${[
        ['requests', count(data.total_req_count)], ['per second', rate(data.rps)], ['in flight', count(data.in_flight)],
        ['share', percent(data.share)], ['weight', weight(data)], ...(data.slow_start_share < 1 ? [['slow start', percent(data.slow_start_share)]] : []), ['priority', data.priority],
        ['sent', bytes(data.bytes_to)], ['received', bytes(data.bytes_from)], ['connects', count(data.connects)], ['reuses', count(data.reuses)]]} />
      <${List} title="Response time" entries=${[
        ...[['average', 'avg_res_time'], ['p50', 'p50_ms'], ['p90', 'p90_ms'], ['p99', 'p99_ms'], ['p99.9', 'p99_9_ms'], ['longest', 'max_ms']]
          .map(([name, field]) => [name, ms(data[field] || null)]), ['recent average', ms(data.recent.avg_res_time || null)], ['recent p99', ms(data.recent.p99_ms || null)]]} />
      <${List} title="Responses" entries=${Object.entries(data.responses).map(([name, value]) => [name, count(value)])} />
      ${data.overrides.length > 0 && html`<${List} title="Overrides" entries=${data.overrides.map(override)} />`}
      <${List} title="Outages" entries=${[['times down', count(data.times_down)], ['downtime', duration(data.downtime_seconds)], ['ejections', count(data.ejections)]]} />
      <${List} title="Failures" entries=${[...Object.entries(data.failures).map(([name, value]) => [name.replaceAll('_', ' '), count(value)]),
        ['retried on another backend', count(data.retries)], ['client aborted', count(data.client_aborts)]]} />
    </div>
    <p class="meta">Last check: ${check ? `${check.text}, ${check.ok ? 'ok' : 'failed'} in ${ms(check.took_ms)}` : 'none yet'}</p>`;
}

/** Returns the weight, and the configured weight if an operator overrides it. */
function weight(data) {
  const order = data.weight_order;
  if (!order) return data.weight;
  const until = order.until ? `, until ${fullTime(new Date(order.until))}` : '';
  return `${data.weight} by ${order.who}${order.why && `: ${order.why}`}${until} (file: ${data.file_weight})`;
}

/** Returns an override of an external source as an entry of a list. */
function override(each) {
  const effect = [each.state, each.weight !== null && `weight ${each.weight}`].filter(Boolean).join(', ');
  const note = each.decides_state || each.decides_weight ? '' : ' (not in effect)';
  return [each.source, `${effect}${each.reason && `: ${each.reason}`}, ${duration(each.remaining_seconds)} left${note}`];
}

function List({ title, entries }) {
  return html`<div><h3>${title}</h3><dl>${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></div>`;
}
