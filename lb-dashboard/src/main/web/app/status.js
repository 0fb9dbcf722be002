// The overall status, used by the status pill, the alerts and the title.
import { expiringSoon, secondsLeft } from './certificates.js';
import { count, timeLeft, timeOfDay } from './format.js';
import { allBackends, connection, revision, state } from './store.js';

const usable = (backend) => backend.health.is_host_alive;

/**
 * Returns the backends that are down, and the pools without a healthy backend, even if panic mode sends requests to
 * all.
 */
export function losses() {
  const backends = allBackends();
  const dead = state.pools.filter((pool) => pool.backends.length > 0 && pool.totals.healthy_count === 0);
  return {
    total: backends.length,
    usable: backends.filter(usable).length,
    down: backends.filter((backend) => backend.health.state === 'down'),
    ejected: backends.filter((backend) => backend.health.state === 'ejected'),
    dead,
    panics: state.pools.filter((pool) => pool.totals.panic),
    outage: dead.length > 0 && dead.length === state.pools.length,
  };
}

/** `level` is good, warn, bad, or stale if the page may show old data; `text` describes it. */
export function status() {
  void revision.value; // A component with signals is rendered again only for changes of its properties and signals.
  const { down, ejected, dead, panics, outage } = losses();
  if (connection.value !== 'live') return { level: 'stale', text: `as of ${timeOfDay(new Date(state.time))}` };
  if (outage) return { level: 'bad', text: 'outage' };
  if (!state.ready) return { level: 'bad', text: `not ready: ${state.readyReason}` };
  if (dead.length > 0) return { level: 'bad', text: `${count(dead.length)} ${dead.length === 1 ? 'pool' : 'pools'} out of service` };
  if (panics.length > 0) return { level: 'bad', text: `panic mode in ${count(panics.length)} ${panics.length === 1 ? 'pool' : 'pools'}` };
  const [certificate] = expiringSoon();
  if (certificate && secondsLeft(certificate) < 0) return { level: 'bad', text: 'certificate expired' };
  if (down.length > 0) return { level: 'warn', text: `ready, ${count(down.length)} down` };
  if (ejected.length > 0) return { level: 'warn', text: `ready, ${count(ejected.length)} ejected` };
  if (state.cluster && !state.cluster.has_majority) return { level: 'warn', text: 'ready, no majority in the cluster' };
  if (certificate) return { level: 'warn', text: `ready, certificate expires in ${timeLeft(secondsLeft(certificate))}` };
  return { level: 'good', text: 'ready' };
}
