package io.ballast.dns.report;

import static io.ballast.dns.report.DnsReportSource.counters;

import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Statistic;
import io.ballast.dns.stats.DnsCounter;
import java.util.List;

/** The statistics of client queries, responses and client connections. */
public final class QueryStatistics {

    private static final List<DnsCounter> TRANSPORTS =
            List.of(DnsCounter.QUERIES_UDP, DnsCounter.QUERIES_TCP, DnsCounter.QUERIES_DOT, DnsCounter.QUERIES_DOH);

    private static final List<DnsCounter> LIMITS = List.of(
            DnsCounter.CLIENT_LIMIT,
            DnsCounter.EVICTED,
            DnsCounter.IDLE,
            DnsCounter.SLOW_SENDER,
            DnsCounter.SLOW_READER,
            DnsCounter.PROXY_REFUSED,
            DnsCounter.TLS_FAILED,
            DnsCounter.NOT_ACCEPTED);

    /** All statistics of this class, in the order of the metrics exposition and of the API. */
    public static final List<Statistic<DnsReportSource>> ALL = List.of(
            counters(
                    Metric.counter("ballast.dns.queries", "Queries received, by record type", "type"),
                    "queries_by_type",
                    DnsCounter.TYPE_A,
                    DnsCounter.TYPE_AAAA,
                    DnsCounter.TYPE_OTHER),
            counters(
                    Metric.counter("ballast.dns.responses", "Responses sent, by response code", "rcode"),
                    "responses_by_code",
                    DnsCounter.NOERROR,
                    DnsCounter.FORMERR,
                    DnsCounter.SERVFAIL,
                    DnsCounter.NXDOMAIN,
                    DnsCounter.NOTIMP,
                    DnsCounter.REFUSED,
                    DnsCounter.YXDOMAIN,
                    DnsCounter.YXRRSET,
                    DnsCounter.NXRRSET,
                    DnsCounter.NOTAUTH,
                    DnsCounter.NOTZONE,
                    DnsCounter.BADVERS,
                    DnsCounter.BADCOOKIE),
            Statistic.metricOnly(
                    Metric.counter(
                            "ballast.dns.zone.queries",
                            "Queries for names in a zone, by outcome: noerror (records, or a delegation), nodata,"
                                    + " nxdomain, other (such as SERVFAIL); zones beyond the first 1,000 are summed as other",
                            "zone",
                            "outcome"),
                    (source, samples) -> source.frontend()
                            .zones()
                            .stats()
                            .queriesByZone()
                            .forEach((zone, outcomes) -> outcomes.forEach(
                                    (outcome, queries) -> samples.value(zone, outcome.label(), queries)))),
            Statistic.metricOnly(
                    Metric.counter(
                            "ballast.dns.service.queries",
                            "Queries that a service answered, directly or through an alias; services beyond the first"
                                    + " 1,000 are summed as other",
                            "service"),
                    (source, samples) ->
                            source.frontend().zones().stats().queriesByService().forEach(samples::value)),
            Statistic.ofCounters(
                    Metric.counter(
                            "ballast.dns.transport.queries",
                            "Queries received, by transport: udp, tcp, dot (TLS), doh (HTTPS)",
                            "transport"),
                    TRANSPORTS,
                    DnsReportSource::sum),
            Statistic.ofValue(
                    Metric.gauge("ballast.dns.connections", "Open connections of DNS clients"),
                    source -> source.frontend().openConnections()),
            Statistic.ofValue(
                    Metric.counter("ballast.dns.accepted.connections", "Accepted connections of DNS clients"),
                    source -> source.sum(DnsCounter.CONNECTIONS)),
            Statistic.ofCounters(
                    Metric.counter(
                            "ballast.dns.limited.connections",
                            "Connections of DNS clients that a limit closed, by reason: client_limit (closed at once:"
                                    + " the client has too many), evicted (the longest idle connection, closed for a new"
                                    + " one), idle, slow_sender, slow_reader, proxy (closed at once: not from a trusted"
                                    + " proxy, or without a PROXY header), tls (the handshake failed); no_descriptors (not"
                                    + " closed: it waits until the process has a file descriptor for it)",
                            "reason"),
                    LIMITS,
                    DnsReportSource::sum),
            Statistic.ofValue(
                    Metric.counter(
                            "ballast.dns.http.errors", "DNS over HTTPS requests that were answered with an HTTP error"),
                    source -> source.sum(DnsCounter.HTTP_ERRORS)),
            counters(
                    Metric.counter(
                            "ballast.dns.protection",
                            "Queries detected by a protection of the DNS frontend, by kind; the metrics documentation lists the kinds",
                            "kind"),
                    "protection",
                    DnsCounter.COOKIES_VALID,
                    DnsCounter.COOKIES_BAD,
                    DnsCounter.LIMITED_TRUNCATED,
                    DnsCounter.LIMITED_DROPPED,
                    DnsCounter.RESPONSES_RECEIVED,
                    DnsCounter.SUSPICIOUS_PORTS,
                    DnsCounter.MALFORMED,
                    DnsCounter.SIGNED,
                    DnsCounter.SIGNATURES_REFUSED,
                    DnsCounter.CONTROL_UNSIGNED,
                    DnsCounter.CONTROL_OVERLOADED));

    private QueryStatistics() {}

    /** Returns the total of received queries. */
    public static long queries(DnsReportSource source) {
        return TRANSPORTS.stream().mapToLong(source::sum).sum();
    }
}
