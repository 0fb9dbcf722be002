package io.ballast.dashboard.metrics;

import java.util.List;
import java.util.Locale;

/** Every meter of Ballast's own: the one place that says what it is called and what it means. */
public enum BallastMeter {
    VERSION(Kind.GAUGE, "ballast.version", "", "Always 1; the version stands in the label", "version"),
    READY(Kind.GAUGE, "ballast.ready", "", "1 while new traffic may come, as /readyz says"),
    PROCESS_RESIDENT(Kind.GAUGE, "ballast.process.resident", "bytes", "Resident memory, 0 where the system hides it"),
    DASHBOARD_STREAMS(Kind.GAUGE, "ballast.dashboard.streams", "", "Pages that follow the stream"),
    LAST_RELOAD_OK(
            Kind.GAUGE,
            "ballast.last.reload.ok",
            "",
            "0 if the last reload was refused, so that the file is not what runs; else 1, also before the first"),
    THREAD_STALLS(
            Kind.COUNTER,
            "ballast.thread.stalls",
            "",
            "How often an event loop, or another thread that is watched, did not turn for three seconds"),
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
            "Clients' requests that went to the pool and are over: one each, however many backends were tried",
            "pool"),
    POOL_ERRORS(
            Kind.COUNTER,
            "ballast.pool.errors",
            "",
            "Those of them that failed by no fault of their client: answered by a 5xx, a backend's or our own, or"
                    + " broken off",
            "pool"),
    POOL_QUEUE(Kind.GAUGE, "ballast.pool.queue", "", "Requests that wait for a backend now", "pool"),
    POOL_QUEUED(Kind.COUNTER, "ballast.pool.queued", "", "Requests that had to wait for a backend", "pool"),
    POOL_QUEUE_FAILURES(
            Kind.COUNTER,
            "ballast.pool.queue.failures",
            "",
            "Requests that waited in vain, by kind: timeout, full (as many waited as may), client_gone",
            "pool",
            "kind"),
    POOL_RETRIES_REFUSED(
            Kind.COUNTER,
            "ballast.pool.retries.refused",
            "",
            "Requests that were not sent again because the retry budget was spent",
            "pool"),

    POOL_RESPONSE_TIME(
            Kind.HISTOGRAM,
            "ballast.pool.response.time",
            "seconds",
            "From handing the request to a connection to the end of the response, of exchanges that ended well",
            "pool"),

    DISCOVERY_BACKENDS(
            Kind.GAUGE,
            "ballast.discovery.backends",
            "",
            "Backends in use by what a source of the pool tells",
            "pool",
            "source"),
    DISCOVERY_LAST_SUCCESS(
            Kind.GAUGE,
            "ballast.discovery.last.success",
            "seconds",
            "When the source answered last, in seconds since 1970; 0 if it has not since the process started",
            "pool",
            "source"),
    DISCOVERY_FAILURES(
            Kind.COUNTER,
            "ballast.discovery.failures",
            "",
            "How often the source could not be asked; what it told last holds",
            "pool",
            "source"),

    DISCOVERY_REFUSED(
            Kind.GAUGE,
            "ballast.discovery.refused",
            "",
            "1 while what sources tell cannot be put in force, which is tried again; what was in force before is"),

    BACKEND_REQUESTS(
            Kind.COUNTER,
            "ballast.backend.requests",
            "",
            "Requests sent to the backend, each attempt counted",
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
            "Exchanges that failed without a whole response, by kind: connect_refused, connect_timeout,"
                    + " connect_failed, reset, response_timeout, bad_response",
            "pool",
            "backend",
            "kind"),
    BACKEND_RETRIES(
            Kind.COUNTER,
            "ballast.backend.retries",
            "",
            "Exchanges moved away to another connection or another backend",
            "pool",
            "backend"),
    BACKEND_CLIENT_ABORTS(
            Kind.COUNTER,
            "ballast.backend.client.aborts",
            "",
            "Responses given up because the client went away or stopped reading",
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
            "Requests that wait now for one of the backend's max_connections, or for their turn to connect",
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
    BACKEND_IN_FLIGHT(Kind.GAUGE, "ballast.backend.in.flight", "", "Exchanges that run now", "pool", "backend"),
    BACKEND_WEIGHT(
            Kind.GAUGE,
            "ballast.backend.weight",
            "",
            "The weight in force: that of the file, or an operator's",
            "pool",
            "backend"),
    BACKEND_STATE(
            Kind.GAUGE,
            "ballast.backend.state",
            "",
            "1 for the state that the backend is in, 0 for the others: unknown, up, down, draining, ejected,"
                    + " maintenance",
            "pool",
            "backend",
            "state"),
    BACKEND_EJECTIONS(
            Kind.COUNTER,
            "ballast.backend.ejections",
            "",
            "How often the backend was ejected because requests failed there",
            "pool",
            "backend"),
    BACKEND_CHECK_TIME(
            Kind.GAUGE,
            "ballast.backend.check.duration",
            "seconds",
            "How long the last health check took, 0 before the first",
            "pool",
            "backend"),
    BACKEND_CHECK_OK(
            Kind.GAUGE, "ballast.backend.check.ok", "", "1 if the last health check succeeded", "pool", "backend"),
    BACKEND_RESPONSE_TIME(
            Kind.HISTOGRAM,
            "ballast.backend.response.time",
            "seconds",
            "The same for each backend; not with dashboard.histograms per_pool",
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
            "Requests of clients that are over, whatever became of them",
            "listener"),
    LISTENER_ERRORS(
            Kind.COUNTER,
            "ballast.listener.errors",
            "",
            "Completed requests that failed by no fault of their client: answered by a 5xx, a backend's or our own, or"
                    + " broken off",
            "listener"),
    LISTENER_IN_FLIGHT(
            Kind.GAUGE,
            "ballast.listener.in.flight",
            "",
            "Requests that are being served now, those that wait for a backend included",
            "listener"),
    LISTENER_RESPONSES(
            Kind.COUNTER,
            "ballast.listener.responses",
            "",
            "Responses sent to clients, by class: 1xx to 5xx",
            "listener",
            "class"),
    LISTENER_CONNECTIONS(Kind.GAUGE, "ballast.listener.connections", "", "Connections open now", "listener"),
    LISTENER_ACCEPTED(Kind.COUNTER, "ballast.listener.accepted.connections", "", "Connections accepted", "listener"),
    LISTENER_LIMITED(
            Kind.COUNTER,
            "ballast.listener.limited.connections",
            "",
            "Connections that a limit closed, by reason: limit (closed at once), client_limit (closed at once),"
                    + " used_up (closed after the last request that a connection may have), tls (the handshake failed),"
                    + " plain_http (HTTP without TLS to a listener with TLS, answered by 400 or a redirect), tls_timeout"
                    + " (the handshake took too long), proxy (closed at once, not from a trusted proxy or"
                    + " without a proxy's header), http2_error (the client broke the rules of HTTP/2), http2_flood (a"
                    + " client of HTTP/2 made us do too much for nothing); no_descriptors (not closed: it waits until the"
                    + " process has a file descriptor for it; each try counts)",
            "listener",
            "reason"),
    LISTENER_FAILURES(
            Kind.COUNTER,
            "ballast.listener.failures",
            "",
            "Requests that were not answered by a backend as they should be, by kind; see below",
            "listener",
            "kind"),
    LISTENER_RECEIVED(Kind.COUNTER, "ballast.listener.received", "bytes", "Bytes received from clients", "listener"),
    LISTENER_SENT(Kind.COUNTER, "ballast.listener.sent", "bytes", "Bytes sent to clients", "listener"),
    LISTENER_TUNNELS(
            Kind.GAUGE,
            "ballast.listener.tunnels",
            "",
            "Tunnels open now, such as those of WebSockets; each is also a request in flight",
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
            "Datagrams of listeners for udp: in (from clients), out (to clients), dropped (no session could begin, or a"
                    + " socket took no more)",
            "listener",
            "kind"),
    LISTENER_UPGRADES_IGNORED(
            Kind.COUNTER,
            "ballast.listener.upgrades.ignored",
            "",
            "Requests that wanted another protocol, such as websocket, and were passed on without that wish",
            "listener"),
    LISTENER_LOG_DROPPED(
            Kind.COUNTER,
            "ballast.listener.access.log.dropped",
            "",
            "Requests missing in the access log, because the queue or the disk could not take them",
            "listener"),
    CERTIFICATE_EXPIRY(
            Kind.GAUGE,
            "ballast.certificate.expiry",
            "seconds",
            "When a certificate of a listener expires, in seconds since 1970, by its file",
            "listener",
            "certificate"),

    DNS_QUERIES(Kind.COUNTER, "ballast.dns.queries", "", "Queries received, by record type", "type"),
    DNS_RESPONSES(Kind.COUNTER, "ballast.dns.responses", "", "Responses sent, by response code", "rcode"),
    DNS_ZONE_QUERIES(
            Kind.COUNTER,
            "ballast.dns.zone.queries",
            "",
            "Queries for names in a zone, by outcome: noerror (records, or a delegation), nodata, nxdomain, other"
                    + " (SERVFAIL and the like); zones beyond the first 1,000 are summed as other",
            "zone",
            "outcome"),
    DNS_SERVICE_QUERIES(
            Kind.COUNTER,
            "ballast.dns.service.queries",
            "",
            "Queries that a service answered, also by an alias; services beyond the first 1,000 are summed as other",
            "service"),
    DNS_TRANSPORTS(
            Kind.COUNTER,
            "ballast.dns.transport.queries",
            "",
            "Queries received, by what brought them: udp, tcp, dot (TLS), doh (HTTPS)",
            "transport"),
    DNS_CONNECTIONS(Kind.GAUGE, "ballast.dns.connections", "", "Connections of DNS clients that are open now"),
    DNS_ACCEPTED(Kind.COUNTER, "ballast.dns.accepted.connections", "", "Connections of DNS clients taken on"),
    DNS_LIMITED(
            Kind.COUNTER,
            "ballast.dns.limited.connections",
            "",
            "Connections of DNS clients that a limit closed, by reason: client_limit (closed at once, its client has"
                    + " enough), evicted (idle for longest when another came), idle, slow_sender, slow_reader, proxy"
                    + " (closed at once, not from a trusted proxy or without a proxy's header), tls (the handshake"
                    + " failed); no_descriptors (not closed: it waits until the process has a file descriptor for it)",
            "reason"),
    DNS_HTTP_ERRORS(
            Kind.COUNTER,
            "ballast.dns.http.errors",
            "",
            "Requests of DNS over HTTPS that were answered by an error of HTTP"),
    DNS_PROTECTION(
            Kind.COUNTER,
            "ballast.dns.protection",
            "",
            "Queries that were noticed by what guards the DNS frontend, by kind; see below",
            "kind"),
    DNS_FORWARDED_QUERIES(
            Kind.COUNTER,
            "ballast.dns.forwarded.queries",
            "",
            "Queries for names outside the zones, or whose aliases lead out of them, each once"),
    DNS_FORWARDED(
            Kind.COUNTER,
            "ballast.dns.forwarded",
            "",
            "Those queries, by outcome: blocked (by a list of"
                    + " rules), rewritten (answered by hand), rebinding (the answer has an address that names of the"
                    + " internet may not have), hit (answered from what is"
                    + " kept), miss (had to wait for a resolver), stale (what was true some time ago; those that had to"
                    + " wait count as a miss, too), failed (no answer in time; likewise), servfail"
                    + " (a resolver said SERVFAIL or the like; counts as a miss, or a hit where that was kept, too),"
                    + " prohibited (refused, the client may not ask), overloaded (refused, too many waited)",
            "outcome"),
    DNS_TRANSFERS(
            Kind.COUNTER,
            "ballast.dns.transfers",
            "",
            "Queries of other servers for zones, by outcome: whole (AXFR), incremental (IXFR),"
                    + " up_to_date (nothing newer to send, or it does not fit into a datagram), prohibited"
                    + " (refused, the server may not have the zone, or not over UDP), overloaded (refused, as"
                    + " many were on their way as may), cut (ended before the end)",
            "outcome"),
    DNS_UPDATES(
            Kind.COUNTER,
            "ballast.dns.updates",
            "",
            "Messages that are to change zones (RFC 2136), by outcome: applied, unchanged (nothing became different), unmet"
                    + " (a prerequisite did not hold), malformed, prohibited (refused, the client may not, or not this),"
                    + " failed (could not be written or served; the zone is as it was), overloaded (too many waited, or"
                    + " another process has the zone)",
            "outcome"),
    DNS_NOTIFIES(
            Kind.COUNTER,
            "ballast.dns.notifies",
            "",
            "Messages to other servers that a zone has changed, by outcome: acknowledged, failed"
                    + " (no answer after the last try, or one that refuses)",
            "outcome"),
    DNS_ANSWER_TIME(
            Kind.HISTOGRAM,
            "ballast.dns.answer.time",
            "seconds",
            "How long answers to names outside the zones took, from when the query was read: out of the cache (cache), or after"
                    + " waiting for a resolver, in vain as well (resolver); of the queries that are logged, so none while"
                    + " dns.query_log is off, and one in so many by its sample",
            "by"),
    DNS_FOLLOW_UPS(
            Kind.COUNTER,
            "ballast.dns.follow.ups",
            "",
            "Questions about the addresses of names that services follow, by outcome: answered (if only by saying that"
                    + " there are none), failed (no answer in time, or an error)",
            "outcome"),
    DNS_FOLLOWED_NAMES(
            Kind.GAUGE,
            "ballast.dns.followed.names",
            "",
            "Names that services follow, by state: unknown (not answered yet), known, stale (the last addresses are kept,"
                    + " resolvers do not answer or have denied them once), none (it has no addresses), failed (nothing"
                    + " is known); one whose families differ counts by the worst of them",
            "state"),
    DNS_QUESTIONS(
            Kind.COUNTER,
            "ballast.dns.upstream.questions",
            "",
            "What resolvers were asked, by kind: questions (each for all queries that ask the same at the same time),"
                    + " refreshes (of these, before the end of what is kept, or to replace what has ended), retries (of"
                    + " another resolver, or once more), malformed_answers (messages that answered nothing),"
                    + " out_of_bailiwick (records left out, since they belong to other names), subnet_told (of the questions,"
                    + " those with a client's network), subnet_refused (asked once more without it), subnet_withheld (not"
                    + " told, as many networks asked the same at the same time)",
            "kind"),
    DNS_UPSTREAM_EVENTS(
            Kind.COUNTER,
            "ballast.dns.upstream.events",
            "",
            "What happened on the way to resolvers, by event: queries sent by udp, tcp, dot and doh; attempts that were"
                    + " answered, failed, timeouts, too_many (not sent, too many were outstanding) or retried (on a new"
                    + " connection); responses that were truncated or mismatched (they answer nothing that is asked);"
                    + " questions that were rewritten (sent to the same resolver again without EDNS, in lower case or"
                    + " with a cookie); connections that were silent (given up, since nothing came after a query);"
                    + " sockets_opened, connections_opened, and errors (defects)",
            "event"),
    DNS_VALIDATED(
            Kind.COUNTER,
            "ballast.dns.validated",
            "",
            "Answers of resolvers whose signatures were checked, by verdict: secure, insecure (they need not be signed),"
                    + " bogus (they should be, and are not, or wrongly), indeterminate (a key could not be had),"
                    + " dropped (not examined, as too many waited)",
            "verdict"),
    DNS_VALIDATION(
            Kind.COUNTER,
            "ballast.dns.validation",
            "seconds",
            "How long signatures of resolvers' answers were checked"),
    DNS_BLOCKED(
            Kind.COUNTER,
            "ballast.dns.blocked",
            "",
            "Queries for names outside the zones that a list of rules has blocked, by list",
            "list"),
    DNS_RULES(Kind.GAUGE, "ballast.dns.rules", "", "Rules of a list that is filtered by", "list"),
    DNS_LIST_FAILING(
            Kind.GAUGE,
            "ballast.dns.list.failing",
            "",
            "1 while a list of rules cannot be read anew and keeps the rules that it has",
            "list"),
    DNS_SECONDARY_SERVED(
            Kind.GAUGE,
            "ballast.dns.secondary.served",
            "",
            "1 while a zone from other servers is answered, 0 while it is missing or has expired",
            "zone"),
    DNS_SECONDARY_FAILURES(
            Kind.GAUGE,
            "ballast.dns.secondary.failures",
            "",
            "How often in a row no primary has told a version of the zone",
            "zone"),
    DNS_SECONDARY_SERIAL(
            Kind.GAUGE, "ballast.dns.secondary.serial", "", "Serial of the version of the zone that is there", "zone"),
    DNS_WAITING(Kind.GAUGE, "ballast.dns.waiting", "", "Queries that wait for a resolver now"),
    DNS_CACHE_ENTRIES(Kind.GAUGE, "ballast.dns.cache.entries", "", "Answers of resolvers that are kept"),
    DNS_CACHE_BYTES(Kind.GAUGE, "ballast.dns.cache", "bytes", "Memory that kept answers take, as estimated"),
    DNS_CACHE_MAX_BYTES(Kind.GAUGE, "ballast.dns.cache.max", "bytes", "Memory that kept answers may take"),
    DNS_CACHE_INSERTIONS(Kind.COUNTER, "ballast.dns.cache.insertions", "", "Answers of resolvers that were kept"),
    DNS_CACHE_EVICTIONS(
            Kind.COUNTER, "ballast.dns.cache.evictions", "", "Answers of resolvers that had to make room for others"),
    DNS_LOGGED(
            Kind.COUNTER,
            "ballast.dns.logged",
            "",
            "Entries of the log of DNS queries, and messages of dnstap, that were written: memory"
                    + " (every entry that was logged; the last stay), file, dnstap",
            "to"),
    DNS_LOG_DROPPED(
            Kind.COUNTER,
            "ballast.dns.log.dropped",
            "",
            "Those that were not, and where they were lost: queue (more came than the log could"
                    + " take, before a place for them was free), file (it could not be written), listener"
                    + " (what shows statistics failed), dnstap_queue (queries whose messages found no room),"
                    + " dnstap (messages that no reader took, or that could not be written)",
            "at");

    /** What sort of meter it is. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM;

        /** The word that the exposition uses. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Kind kind;
    private final String id;
    private final String unit;
    private final String meaning;
    private final List<String> labels;

    BallastMeter(Kind kind, String id, String unit, String meaning, String... labels) {
        this.kind = kind;
        this.id = id;
        this.unit = unit;
        this.meaning = meaning;
        this.labels = List.of(labels);
    }

    public Kind kind() {
        return kind;
    }

    /** The name as Micrometer takes it, without the unit. */
    String id() {
        return id;
    }

    /** The base unit, empty for plain numbers. */
    public String unit() {
        return unit;
    }

    public String meaning() {
        return meaning;
    }

    public List<String> labels() {
        return labels;
    }

    /** The name of the family in the exposition, without the suffixes of its samples. */
    public String familyName() {
        String name = id.replace('.', '_');
        return unit.isEmpty() ? name : name + "_" + unit;
    }
}
