// The state of the page. Stream messages change it in place; `revision` triggers the components.
import { signal } from './vendor.js';

const HISTORY_SECONDS = 900;
const SPARK_SECONDS = 60;
/** The maximum number of events; the server has the same limit. */
const MAX_EVENTS = 1000;
const RECENT_SECONDS = 15;
const ERROR_SECONDS = 300;
const MAX_QUERIES = 100;
const ERROR_KINDS = ['4xx', '5xx'];

/** Incremented after every visible change; not while the page is hidden. */
export const revision = signal(0);

/** 'connecting', 'loading' (the first snapshot is arriving), 'live' or 'reconnecting'. */
export const connection = signal('connecting');

/** Received bytes of the current snapshot. */
export const received = signal(0);

export const state = {
  boot: 0,
  time: 0,
  ready: false,
  readyReason: '',
  /** The last reload if it was refused; null otherwise. */
  reloadRefused: null,
  process: null,
  overall: null,
  listeners: [],
  policies: [],
  /** By listener name: 4xx and 5xx responses per second, oldest first. */
  listenerErrors: new Map(),
  /** The number of all, of expired and of expiring certificates, and the certificates that expire first. */
  certificates: { count: 0, expired: 0, expiring: 0, warning_seconds: 0, first: [] },
  dns: null,
  /** The cluster as this node sees it; null if this node is not in a cluster. */
  cluster: null,
  /** The number of agents by state; null if this process accepts no agents. */
  agents: null,
  pools: [],
  events: [],
  /** One array per series, oldest first; `time` in seconds. */
  history: { time: [], rps: [], p99: [], errors: [], qps: [], dnsFailures: [] },
  /** Responses of the last seconds: HTTP by status class, DNS by response code. */
  answered: { grown: {}, all: 0 },
  dnsAnswered: { grown: {}, all: 0 },
  /** Results of forwarded queries in the last seconds. */
  dnsForwarded: { grown: {}, all: 0 },
  /**
   * The last queries of the stream, newest first; and the number of queries and of received samples in the last
   * seconds.
   */
  queries: [],
  queriesSeen: { seen: 0, sampled: 0 },
};

let columns = [];
const NO_PAST = () => ({ http: [], dns: [], forwarded: [], seen: [] });
let past = NO_PAST();

export function changed() {
  if (!document.hidden) revision.value++;
}

document.addEventListener('visibilitychange', changed);

export function applySnapshot(message) {
  if (message.boot !== state.boot) {
    state.events = [];
    state.queries = [];
    past = NO_PAST();
  }
  columns = message.columns;
  state.listeners = message.listeners;
  header(message);
  state.pools = message.pools.map((pool, index) => ({
    index,
    name: pool.name,
    strategy: pool.strategy,
    check: pool.check,
    totals: { ...pool.totals, usable_count: pool.usable_count, healthy_count: pool.healthy_count, panic: pool.panic, maintenance: pool.maintenance },
    backends: pool.backends.map((backend) => backendOf(pool, backend)),
  }));
  history(message);
  state.listenerErrors = new Map(message.listeners.map(({ name }, index) => [name, errorsOf(message.history.listeners[index])]));
  addEvents(message.events);
  changed();
}

/** Applies the changes since the previous message; missing parts are unchanged. */
export function applyTick(message) {
  const seconds = Math.min(SPARK_SECONDS, Math.max(1, Math.round((message.time - state.time) / 1000)));
  for (const [index, listener] of message.listeners) state.listeners[index] = listener;
  header(message);
  for (const [index, totals] of message.pools) state.pools[index].totals = totals;
  for (const [pool, backend, changed, ...values] of message.rows) setColumns(state.pools[pool].backends[backend], changed, values);
  addQueries(message.queries);
  applyHealth(message);
  // A page on a slow connection gets fewer ticks; the sparklines keep their time scale.
  for (const pool of state.pools) {
    for (const backend of pool.backends) {
      for (let i = 0; i < seconds; i++) push(backend.spark, backend.rps, SPARK_SECONDS);
    }
  }
  const { history, overall, dns } = state;
  push(history.time, message.time / 1000, HISTORY_SECONDS);
  push(history.rps, overall.rps, HISTORY_SECONDS);
  push(history.p99, overall.p99_ms, HISTORY_SECONDS);
  push(history.errors, overall.errors_per_second, HISTORY_SECONDS);
  push(history.qps, dns?.qps ?? null, HISTORY_SECONDS);
  push(history.dnsFailures, dns?.servfail_per_second ?? null, HISTORY_SECONDS);
  for (const listener of state.listeners) {
    const errors = state.listenerErrors.get(listener.name);
    for (const kind of errors ? ERROR_KINDS : []) push(errors[kind], listener[`${kind}_per_second`], ERROR_SECONDS);
  }
  addEvents(message.events);
  changed();
}

export function applyTimeline(message) {
  applyHealth(message);
  addEvents(message.events);
  changed();
}

/** Returns every backend of all pools. */
export function allBackends() {
  return state.pools.flatMap((pool) => pool.backends);
}

function header(message) {
  state.boot = message.boot;
  state.time = message.time;
  state.ready = message.ready;
  state.readyReason = message.ready_reason;
  state.reloadRefused = message.reload_refused;
  state.process = message.process;
  if (message.overall) state.overall = message.overall;
  if (message.certificates) state.certificates = message.certificates;
  if (message.policies) state.policies = message.policies;
  if (message.dns !== undefined) state.dns = message.dns;
  if (message.cluster !== undefined) state.cluster = message.cluster;
  if (message.agents !== undefined) state.agents = message.agents;
  state.answered = recentOf(past.http, state.overall.responses);
  const { dns } = state;
  // A reload may have replaced the DNS frontend.
  if (!dns || dns.queries < (past.queries ?? 0)) {
    past.dns = [];
    past.forwarded = [];
  }
  past.queries = dns?.queries;
  if (dns) {
    state.dnsAnswered = recentOf(past.dns, dns.responses_by_code);
    state.dnsForwarded = recentOf(past.forwarded, { queries: dns.forwarded_queries, ...dns.forwarded });
  }
}

/** Adds the older queries of the log to the queries of the stream, which may have arrived earlier or later. */
export function seedQueries(queries) {
  const oldest = state.queries.at(-1)?.time ?? Infinity;
  state.queries = [...state.queries, ...queries.filter(({ time }) => time < oldest)].slice(0, MAX_QUERIES);
  changed();
}

function addQueries(queries) {
  if (!queries) return;
  state.queries = [...queries.sample.reverse(), ...state.queries].slice(0, MAX_QUERIES);
  push(past.seen, { seen: queries.seen, sampled: queries.sample.length }, RECENT_SECONDS);
  const sum = (key) => past.seen.reduce((all, second) => all + second[key], 0);
  state.queriesSeen = { seen: sum('seen'), sampled: sum('sampled') };
}

/** Returns how much totals grew over the last seconds, individually and in sum. */
function recentOf(samples, totals) {
  push(samples, totals, RECENT_SECONDS);
  const grown = Object.fromEntries(Object.entries(totals).map(([name, total]) => [name, total - samples[0][name]]));
  return { grown, all: Object.values(grown).reduce((sum, number) => sum + number, 0) };
}

/** Returns the error history of a listener; empty for listeners beyond the server's limit. */
function errorsOf(past) {
  return Object.fromEntries(ERROR_KINDS.map((kind) => [kind, past?.[`${kind}_per_second`] ?? []]));
}

function backendOf(pool, source) {
  const backend = {
    pool: pool.name,
    addr: source.addr,
    key: `${pool.name}/${source.addr}`,
    fileWeight: source.file_weight,
    priority: source.priority,
    backup: source.backup,
    healthAt: state.time,
    health: source.health,
    since: new Date(source.health.since),
    spark: source.spark,
  };
  setRow(backend, source.row);
  return backend;
}

function setRow(backend, values) {
  columns.forEach((name, index) => {
    backend[name] = values[index];
  });
}

/** Sets columns of a backend; `changed` is a bit mask of the columns for which there is a value. */
function setColumns(backend, changed, values) {
  let next = 0;
  columns.forEach((name, index) => {
    if (changed & (1 << index)) backend[name] = values[next++];
  });
}

function applyHealth({ health, checks }) {
  for (const [pool, index, now] of health) {
    const backend = state.pools[pool].backends[index];
    backend.health = now;
    backend.healthAt = state.time;
    backend.since = new Date(now.since);
  }
  for (const [pool, index, took, ok, text] of checks) {
    const backend = state.pools[pool].backends[index];
    const last = { ...backend.health.last_check, took_ms: took };
    if (ok !== undefined) Object.assign(last, { ok, text });
    backend.health = { ...backend.health, last_check: last };
  }
}

function history(message) {
  const recorded = message.history;
  const last = message.time / 1000;
  const length = recorded.rps.length;
  state.history = {
    time: recorded.rps.map((_, index) => last - (length - 1 - index)),
    rps: recorded.rps,
    p99: recorded.p99_ms,
    errors: recorded.errors_per_second,
    qps: aligned(recorded.qps, length),
    dnsFailures: aligned(recorded.servfail_per_second, length),
  };
}

/** Pads a series on the left with null values to the given length. */
function aligned(series, length) {
  return [...Array(Math.max(0, length - series.length)).fill(null), ...series];
}

/** Returns the total downtime of a backend; a current outage is extended to now. */
export function downtime({ health, healthAt }) {
  return health.downtime_seconds + (health.state === 'down' ? Math.max(0, state.time - healthAt) / 1000 : 0);
}

function addEvents(events) {
  const known = new Set(state.events.map((event) => event.id));
  const fresh = events.filter((event) => !known.has(event.id)).map((event) => ({ ...event, at: new Date(event.time) }));
  state.events = [...state.events, ...fresh].sort((a, b) => b.id - a.id).slice(0, MAX_EVENTS);
}

function push(array, value, most) {
  array.push(value);
  if (array.length > most) array.shift();
}
