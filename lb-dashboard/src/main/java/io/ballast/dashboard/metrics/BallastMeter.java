package io.ballast.dashboard.metrics;

import java.util.List;
import java.util.Locale;

/** Every meter of Ballast with its name and description; {@code docs/metrics.md} contains the same table. */
public enum BallastMeter {
    VERSION(Kind.GAUGE, "ballast.version", "", "Always 1; the label holds the version", "version"),
    READY(Kind.GAUGE, "ballast.ready", "", "1 while the process accepts new traffic, as in /readyz"),
    PROCESS_RESIDENT(
            Kind.GAUGE, "ballast.process.resident", "bytes", "Resident memory, 0 where the system does not provide it"),
    DASHBOARD_STREAMS(Kind.GAUGE, "ballast.dashboard.streams", "", "Pages that follow the event stream"),
    LAST_RELOAD_OK(
            Kind.GAUGE,
            "ballast.last.reload.ok",
            "",
            "0 if the last reload was refused, so that the file differs from the active configuration; else"
                    + " 1, also before the first reload"),
    THREAD_STALLS(
            Kind.COUNTER,
            "ballast.thread.stalls",
            "",
            "How often an event loop or another watched thread sent no heartbeat for three seconds"),
    THREAD_STARVATIONS(
            Kind.COUNTER,
            "ballast.thread.starvations",
            "",
            "The same, but because the thread was ready to run and got too little CPU"),

    POOL_BACKENDS(Kind.GAUGE, "ballast.pool.backends", "", "Backends in the pool", "pool"),
    POOL_USABLE(Kind.GAUGE, "ballast.pool.usable.backends", "", "Backends that take traffic now", "pool"),
    POOL_PANIC(
            Kind.GAUGE,
            "ballast.pool.panic",
            "",
            "1 while so few backends are healthy that requests go to all of them, else 0",
            "pool"),

    POOL_REQUESTS(
            Kind.COUNTER,
            "ballast.pool.requests",
            "",
            "Completed client requests that were routed to the pool; each counts once, however many backends"
                    + " were tried",
            "pool"),
    POOL_ERRORS(
            Kind.COUNTER,
            "ballast.pool.errors",
            "",
            "Those of them that failed without the client's fault: with a 5xx response of a backend or of"
                    + " Ballast, or broken off",
            "pool"),
    POOL_QUEUE(Kind.GAUGE, "ballast.pool.queue", "", "Requests that currently wait for a backend", "pool"),
    POOL_QUEUED(Kind.COUNTER, "ballast.pool.queued", "", "Requests that had to wait for a backend", "pool"),
    POOL_QUEUE_FAILURES(
            Kind.COUNTER,
            "ballast.pool.queue.failures",
            "",
            "Requests that left the queue without a backend, by kind: timeout, full (the queue had no room),"
                    + " client_gone",
            "pool",
            "kind"),
    POOL_RETRIES_REFUSED(
            Kind.COUNTER,
            "ballast.pool.retries.refused",
            "",
            "Retries that were not made because the retry budget was spent",
            "pool"),

    POOL_RESPONSE_TIME(
            Kind.HISTOGRAM,
            "ballast.pool.response.time",
            "seconds",
            "Time from handing the request to a connection to the end of the response, of successful" + " exchanges",
            "pool"),

    DISCOVERY_BACKENDS(
            Kind.GAUGE,
            "ballast.discovery.backends",
            "",
            "Backends in use that a source of the pool reports",
            "pool",
            "source"),
    DISCOVERY_LAST_SUCCESS(
            Kind.GAUGE,
            "ballast.discovery.last.success",
            "seconds",
            "Time of the source's last answer, in seconds since 1970; 0 if there was none since the start of"
                    + " the process",
            "pool",
            "source"),
    DISCOVERY_FAILURES(
            Kind.COUNTER,
            "ballast.discovery.failures",
            "",
            "Failed queries of the source; its last result stays in use",
            "pool",
            "source"),

    DISCOVERY_REFUSED(
            Kind.GAUGE,
            "ballast.discovery.refused",
            "",
            "1 while the result of the sources cannot take effect and is retried; the previous backends stay"
                    + " in use"),

    BACKEND_REQUESTS(
            Kind.COUNTER,
            "ballast.backend.requests",
            "",
            "Requests sent to the backend; each attempt counts",
            "pool",
            "backend"),
    BACKEND_RESPONSES(
            Kind.COUNTER,
            "ballast.backend.responses",
            "",
            "Responses received, by class: 1xx to 5xx",
            "pool",
            "backend",
            "class"),
    BACKEND_FAILURES(
            Kind.COUNTER,
            "ballast.backend.failures",
            "",
            "Exchanges that failed without a complete response, by kind: connect_refused, connect_timeout,"
                    + " connect_failed, reset, response_timeout, bad_response",
            "pool",
            "backend",
            "kind"),
    BACKEND_RETRIES(
            Kind.COUNTER,
            "ballast.backend.retries",
            "",
            "Exchanges that were moved to another connection or another backend",
            "pool",
            "backend"),
    BACKEND_CLIENT_ABORTS(
            Kind.COUNTER,
            "ballast.backend.client.aborts",
            "",
            "Responses that were abandoned because the client disconnected or stopped reading",
            "pool",
            "backend"),
    BACKEND_CONNECTS(
            Kind.COUNTER, "ballast.backend.connects", "", "Connections opened to the backend", "pool", "backend"),
    BACKEND_REUSES(
            Kind.COUNTER,
            "ballast.backend.reuses",
            "",
            "Requests sent on a connection that had served one before",
            "pool",
            "backend"),
    BACKEND_CONNECTION_WAITS(
            Kind.GAUGE,
            "ballast.backend.connection.waits",
            "",
            "Requests that currently wait for one of the backend's max_connections, or for their turn to" + " connect",
            "pool",
            "backend"),
    BACKEND_SENT(
            Kind.COUNTER,
            "ballast.backend.sent",
            "bytes",
            "Bytes sent to the backend, heads included",
            "pool",
            "backend"),
    BACKEND_RECEIVED(
            Kind.COUNTER,
            "ballast.backend.received",
            "bytes",
            "Bytes received from the backend, heads included",
            "pool",
            "backend"),
    BACKEND_IN_FLIGHT(Kind.GAUGE, "ballast.backend.in.flight", "", "Current exchanges", "pool", "backend"),
    BACKEND_WEIGHT(
            Kind.GAUGE,
            "ballast.backend.weight",
            "",
            "The current weight: that of the configuration, or an operator's",
            "pool",
            "backend"),
    BACKEND_STATE(
            Kind.GAUGE,
            "ballast.backend.state",
            "",
            "1 for the current state of the backend, 0 for the others: unknown, up, down, draining, ejected,"
                    + " maintenance",
            "pool",
            "backend",
            "state"),
    BACKEND_EJECTIONS(
            Kind.COUNTER,
            "ballast.backend.ejections",
            "",
            "How often the backend was ejected because requests failed",
            "pool",
            "backend"),
    BACKEND_CHECK_TIME(
            Kind.GAUGE,
            "ballast.backend.check.duration",
            "seconds",
            "Duration of the last health check, 0 before the first",
            "pool",
            "backend"),
    BACKEND_CHECK_OK(
            Kind.GAUGE, "ballast.backend.check.ok", "", "1 if the last health check succeeded", "pool", "backend"),
    BACKEND_RESPONSE_TIME(
            Kind.HISTOGRAM,
            "ballast.backend.response.time",
            "seconds",
            "The same for each backend; absent with dashboard.histograms per_pool",
            "pool",
            "backend"),

    LISTENER_REQUESTS(
            Kind.COUNTER,
            "ballast.listener.requests",
            "",
            "Requests received from clients, malformed ones included",
            "listener"),
    LISTENER_COMPLETED(
            Kind.COUNTER,
            "ballast.listener.completed.requests",
            "",
            "Completed requests of clients, whatever their result",
            "listener"),
    LISTENER_ERRORS(
            Kind.COUNTER,
            "ballast.listener.errors",
            "",
            "Completed requests that failed without the client's fault: with a 5xx response of a backend or"
                    + " of Ballast, or broken off",
            "listener"),
    LISTENER_IN_FLIGHT(
            Kind.GAUGE,
            "ballast.listener.in.flight",
            "",
            "Current requests, including those that wait for a backend",
            "listener"),
    LISTENER_RESPONSES(
            Kind.COUNTER,
            "ballast.listener.responses",
            "",
            "Responses sent to clients, by class: 1xx to 5xx",
            "listener",
            "class"),
    LISTENER_CONNECTIONS(Kind.GAUGE, "ballast.listener.connections", "", "Open connections", "listener"),
    LISTENER_ACCEPTED(Kind.COUNTER, "ballast.listener.accepted.connections", "", "Connections accepted", "listener"),
    LISTENER_LIMITED(
            Kind.COUNTER,
            "ballast.listener.limited.connections",
            "",
            "Connections that a limit closed, by reason: limit (closed at once), client_limit (closed at"
                    + " once), used_up (closed after the last request that a connection may have), tls (the handshake"
                    + " failed), plain_http (plain HTTP to a listener with TLS, answered by 400 or a redirect),"
                    + " tls_timeout (the handshake took too long), proxy (closed at once: not from a trusted proxy, or"
                    + " without a PROXY header), http2_error (the client violated the HTTP/2 protocol), http2_flood (an"
                    + " HTTP/2 client caused too much useless work); no_descriptors (not closed: it waits until the"
                    + " process has a file descriptor for it; each try counts)",
            "listener",
            "reason"),
    LISTENER_FAILURES(
            Kind.COUNTER, "ballast.listener.failures", "", "Failed requests, by kind; see below", "listener", "kind"),
    LISTENER_RECEIVED(Kind.COUNTER, "ballast.listener.received", "bytes", "Bytes received from clients", "listener"),
    LISTENER_SENT(Kind.COUNTER, "ballast.listener.sent", "bytes", "Bytes sent to clients", "listener"),
    LISTENER_TUNNELS(
            Kind.GAUGE,
            "ballast.listener.tunnels",
            "",
            "Open tunnels, such as those of WebSockets; each is also a request in flight",
            "listener"),
    LISTENER_TUNNELS_OPENED(
            Kind.COUNTER,
            "ballast.listener.opened.tunnels",
            "",
            "Tunnels opened: requests after which client and backend switched to another protocol",
            "listener"),
    LISTENER_DATAGRAMS(
            Kind.COUNTER,
            "ballast.listener.datagrams",
            "",
            "Datagrams of udp listeners: in (from clients), out (to clients), dropped (no session could"
                    + " begin, or a socket was full)",
            "listener",
            "kind"),
    LISTENER_UPGRADES_IGNORED(
            Kind.COUNTER,
            "ballast.listener.upgrades.ignored",
            "",
            "Requests with an upgrade, such as websocket, that were forwarded without it",
            "listener"),
    LISTENER_LOG_DROPPED(
            Kind.COUNTER,
            "ballast.listener.access.log.dropped",
            "",
            "Requests missing in the access log because the queue or the disk could not take them",
            "listener"),
    CERTIFICATE_EXPIRY(
            Kind.GAUGE,
            "ballast.certificate.expiry",
            "seconds",
            "When a certificate of a listener expires, in seconds since 1970; the label is its file",
            "listener",
            "certificate"),

    DNS_QUERIES(Kind.COUNTER, "ballast.dns.queries", "", "Queries received, by record type", "type"),
    DNS_RESPONSES(Kind.COUNTER, "ballast.dns.responses", "", "Responses sent, by response code", "rcode"),
    DNS_ZONE_QUERIES(
            Kind.COUNTER,
            "ballast.dns.zone.queries",
            "",
            "Queries for names in a zone, by outcome: noerror (records, or a delegation), nodata, nxdomain,"
                    + " other (such as SERVFAIL); zones beyond the first 1,000 are summed as other",
            "zone",
            "outcome"),
    DNS_SERVICE_QUERIES(
            Kind.COUNTER,
            "ballast.dns.service.queries",
            "",
            "Queries that a service answered, directly or through an alias; services beyond the first 1,000"
                    + " are summed as other",
            "service"),
    DNS_TRANSPORTS(
            Kind.COUNTER,
            "ballast.dns.transport.queries",
            "",
            "Queries received, by transport: udp, tcp, dot (TLS), doh (HTTPS)",
            "transport"),
    DNS_CONNECTIONS(Kind.GAUGE, "ballast.dns.connections", "", "Open connections of DNS clients"),
    DNS_ACCEPTED(Kind.COUNTER, "ballast.dns.accepted.connections", "", "Accepted connections of DNS clients"),
    DNS_LIMITED(
            Kind.COUNTER,
            "ballast.dns.limited.connections",
            "",
            "Connections of DNS clients that a limit closed, by reason: client_limit (closed at once: the"
                    + " client has too many), evicted (the longest idle connection, closed for a new one), idle,"
                    + " slow_sender, slow_reader, proxy (closed at once: not from a trusted proxy, or without a PROXY"
                    + " header), tls (the handshake failed); no_descriptors (not closed: it waits until the process has"
                    + " a file descriptor for it)",
            "reason"),
    DNS_HTTP_ERRORS(
            Kind.COUNTER,
            "ballast.dns.http.errors",
            "",
            "DNS over HTTPS requests that were answered with an HTTP error"),
    DNS_PROTECTION(
            Kind.COUNTER,
            "ballast.dns.protection",
            "",
            "Queries that a protection of the DNS frontend detected, by kind; see below",
            "kind"),
    DNS_FORWARDED_QUERIES(
            Kind.COUNTER,
            "ballast.dns.forwarded.queries",
            "",
            "Queries for names outside the zones, or whose aliases lead out of them; each counts once"),
    DNS_FORWARDED(
            Kind.COUNTER,
            "ballast.dns.forwarded",
            "",
            "Those queries, by outcome: blocked (by a filter list), rewritten (by a rewrite rule), rebinding"
                    + " (the answer has an address that names on the internet may not have), hit (answered from the"
                    + " cache), miss (had to wait for a resolver), stale (an expired answer; those that had to wait"
                    + " count as a miss, too), failed (no answer in time; likewise), servfail (a resolver answered"
                    + " SERVFAIL or a similar error; counts as a miss too, or as a hit if it came from the cache),"
                    + " prohibited (refused: the client is not allowed), overloaded (refused: too many were waiting)",
            "outcome"),
    DNS_TRANSFERS(
            Kind.COUNTER,
            "ballast.dns.transfers",
            "",
            "Transfer requests of other servers, by outcome: whole (AXFR), incremental (IXFR), up_to_date"
                    + " (nothing newer to send, or it does not fit into a datagram), prohibited (refused: the server"
                    + " may not have the zone, or not over UDP), overloaded (refused: the limit of concurrent transfers"
                    + " was reached), cut (broken off)",
            "outcome"),
    DNS_UPDATES(
            Kind.COUNTER,
            "ballast.dns.updates",
            "",
            "Dynamic updates (RFC 2136), by outcome: applied, unchanged (no record changed), unmet (a"
                    + " prerequisite did not hold), malformed, prohibited (refused: the client may not update, or not"
                    + " this record), failed (could not be written or served; the zone is unchanged), overloaded (too"
                    + " many were waiting, or another process owns the zone)",
            "outcome"),
    DNS_NOTIFIES(
            Kind.COUNTER,
            "ballast.dns.notifies",
            "",
            "NOTIFY messages to other servers, by outcome: acknowledged, failed (no answer after the last"
                    + " try, or a refusal)",
            "outcome"),
    DNS_ANSWER_TIME(
            Kind.HISTOGRAM,
            "ballast.dns.answer.time",
            "seconds",
            "Time from reading a query for a name outside the zones to its answer, from the cache (cache) or"
                    + " after waiting for a resolver, with or without success (resolver); of logged queries only: none"
                    + " while dns.query_log is off, and a part with sample",
            "by"),
    DNS_FOLLOW_UPS(
            Kind.COUNTER,
            "ballast.dns.follow.ups",
            "",
            "Address queries for alias targets of services, by outcome: answered (also if there are no"
                    + " addresses), failed (no answer in time, or an error)",
            "outcome"),
    DNS_FOLLOWED_NAMES(
            Kind.GAUGE,
            "ballast.dns.followed.names",
            "",
            "Alias targets of services, by state: unknown (not answered yet), known, stale (the last"
                    + " addresses are used; resolvers do not answer or have denied the name once), none (it has no"
                    + " addresses), failed (no addresses are known); if the two address families differ, the worse"
                    + " state counts",
            "state"),
    DNS_QUESTIONS(
            Kind.COUNTER,
            "ballast.dns.upstream.questions",
            "",
            "Questions to resolvers, by kind: questions (one for all equal concurrent queries), refreshes"
                    + " (of these, to renew a cached answer before or after its end), retries (to another resolver, or"
                    + " repeated), malformed_answers (messages without a usable answer), out_of_bailiwick (records that"
                    + " were removed because they belong to other names), subnet_told (of the questions, those with a"
                    + " client subnet), subnet_refused (repeated without it), subnet_withheld (sent without it, because"
                    + " too many networks sent the same query at the same time)",
            "kind"),
    DNS_UPSTREAM_EVENTS(
            Kind.COUNTER,
            "ballast.dns.upstream.events",
            "",
            "Events of the transport to resolvers, by event: queries sent by udp, tcp, dot and doh; attempts"
                    + " that were answered, failed, timeouts, too_many (not sent: too many were outstanding) or retried"
                    + " (on a new connection); responses that were truncated or mismatched (they match no question);"
                    + " questions that were rewritten (sent to the same resolver again without EDNS, in lower case or"
                    + " with a cookie); connections that were silent (replaced because no data came after a query);"
                    + " sockets_opened, connections_opened, and errors (defects)",
            "event"),
    DNS_VALIDATED(
            Kind.COUNTER,
            "ballast.dns.validated",
            "",
            "Validated answers of resolvers, by verdict: secure, insecure (need not be signed), bogus (a"
                    + " required signature is missing or wrong), indeterminate (a key was not available), dropped (not"
                    + " validated: too many were waiting)",
            "verdict"),
    DNS_VALIDATION(
            Kind.COUNTER,
            "ballast.dns.validation",
            "seconds",
            "Time spent on validating the signatures of resolvers' answers"),
    DNS_BLOCKED(
            Kind.COUNTER,
            "ballast.dns.blocked",
            "",
            "Queries for names outside the zones that a filter list blocked, by list",
            "list"),
    DNS_RULES(Kind.GAUGE, "ballast.dns.rules", "", "Active rules of a filter list", "list"),
    DNS_LIST_FAILING(
            Kind.GAUGE,
            "ballast.dns.list.failing",
            "",
            "1 while a filter list cannot be read and its previous rules stay in use",
            "list"),
    DNS_SECONDARY_SERVED(
            Kind.GAUGE,
            "ballast.dns.secondary.served",
            "",
            "1 while a secondary zone is served, 0 while it is missing or has expired",
            "zone"),
    DNS_SECONDARY_FAILURES(
            Kind.GAUGE,
            "ballast.dns.secondary.failures",
            "",
            "Consecutive failed refreshes of a secondary zone",
            "zone"),
    DNS_SECONDARY_SERIAL(
            Kind.GAUGE,
            "ballast.dns.secondary.serial",
            "",
            "Serial of the present version of a secondary zone",
            "zone"),
    DNS_WAITING(Kind.GAUGE, "ballast.dns.waiting", "", "Queries that currently wait for a resolver"),
    DNS_CACHE_ENTRIES(Kind.GAUGE, "ballast.dns.cache.entries", "", "Cached answers of resolvers"),
    DNS_CACHE_BYTES(Kind.GAUGE, "ballast.dns.cache", "bytes", "Estimated memory of the cached answers"),
    DNS_CACHE_MAX_BYTES(Kind.GAUGE, "ballast.dns.cache.max", "bytes", "Memory limit of the cached answers"),
    DNS_CACHE_INSERTIONS(Kind.COUNTER, "ballast.dns.cache.insertions", "", "Answers of resolvers that were cached"),
    DNS_CACHE_EVICTIONS(Kind.COUNTER, "ballast.dns.cache.evictions", "", "Cached answers that were evicted for others"),
    DNS_LOGGED(
            Kind.COUNTER,
            "ballast.dns.logged",
            "",
            "Written entries of the DNS query log and dnstap messages: memory (every logged entry; the last"
                    + " ones are kept), file, dnstap",
            "to"),
    DNS_LOG_DROPPED(
            Kind.COUNTER,
            "ballast.dns.log.dropped",
            "",
            "Entries that were lost, by place: queue (more came than the log could take), file (it could not"
                    + " be written), listener (the statistics of the page failed), dnstap_queue (queries whose messages"
                    + " found no room), dnstap (messages that no reader took, or that could not be written)",
            "at");

    /** The type of a meter. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM;

        /** Returns the type in the exposition format. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Kind kind;
    private final String id;
    private final String unit;
    private final String description;
    private final List<String> labels;

    BallastMeter(Kind kind, String id, String unit, String meaning, String... labels) {
        this.kind = kind;
        this.id = id;
        this.unit = unit;
        this.description = meaning;
        this.labels = List.of(labels);
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the Micrometer name, without the unit. */
    String id() {
        return id;
    }

    /** Returns the base unit; empty for plain numbers. */
    public String unit() {
        return unit;
    }

    public String description() {
        return description;
    }

    public List<String> labels() {
        return labels;
    }

    /** Returns the name of the family in the exposition, without the suffixes of its samples. */
    public String familyName() {
        String name = id.replace('.', '_');
        return unit.isEmpty() ? name : name + "_" + unit;
    }
}
