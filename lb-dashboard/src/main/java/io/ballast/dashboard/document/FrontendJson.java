package io.ballast.dashboard.document;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.live.DnsRate;
import io.ballast.dashboard.live.FrontendRates;
import io.ballast.dashboard.live.ListenerRate;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.Totals;
import io.ballast.dashboard.source.DnsCacheStats;
import io.ballast.dashboard.source.DnsStatistics;
import io.ballast.dashboard.source.ListenerStats;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Writes the fields {@code listeners} and {@code dns} of the statistics in JSON. */
final class FrontendJson {

    private static final int STATUS_CLASSES = 5;

    /**
     * Maximum number of listeners whose history a snapshot contains; the charts of other listeners start empty.
     */
    private static final int MAX_HISTORIES = 20;

    private FrontendJson() {}

    /**
     * Writes the fields {@code listeners} and {@code dns} into the open object; {@code dns} is null
     * without a DNS frontend. Each listener lists all its certificates.
     */
    static void fields(JsonWriter json, FrontendRates frontends) {
        Instant now = Instant.now();
        fields(json, frontends, listener -> CertificateJson.writeAll(json, listener.certificates(), now));
    }

    /**
     * Writes the fields {@code listeners} and {@code dns}, and a summary of the certificates, into the open
     * object of a snapshot.
     */
    static void live(JsonWriter json, FrontendRates frontends, StreamJson.Header header) {
        json.array("listeners", () -> frontends.listeners().forEach(rate -> liveListener(json, rate)));
        json.name("policies");
        PolicyJson.live(json, frontends.policies());
        json.name("dns");
        liveDns(json, frontends);
        json.name("certificates");
        certificates(json, frontends, header);
    }

    /** Writes a listener without its certificates, which {@link #certificates} summarizes. */
    static void liveListener(JsonWriter json, ListenerRate rate) {
        listener(json, rate, source -> {});
    }

    /** Writes the DNS frontend as a JSON value; null if there is none. */
    static void liveDns(JsonWriter json, FrontendRates frontends) {
        frontends.dns().ifPresentOrElse(dns -> json.object(() -> dns(json, dns)), () -> json.raw("null"));
    }

    /** Writes a summary of the certificates of all listeners as a value of bounded size. */
    static void certificates(JsonWriter json, FrontendRates frontends, StreamJson.Header header) {
        CertificateJson.summary(
                json,
                frontends.listeners().stream().map(ListenerRate::source).toList(),
                header.certificateWarning(),
                header.now());
    }

    private static void fields(JsonWriter json, FrontendRates frontends, Consumer<ListenerStats> certificates) {
        json.array("listeners", () -> frontends.listeners().forEach(rate -> listener(json, rate, certificates)));
        PolicyJson.field(json, frontends.policies());
        frontends.dns().ifPresentOrElse(dns -> json.object("dns", () -> dns(json, dns)), () -> json.nullField("dns"));
    }

    /**
     * Writes the counts of client requests by outcome, summed over all listeners, into the open JSON object.
     *
     * @param attempts the totals of each pool; their latencies are summed
     */
    static void total(JsonWriter json, LiveStats live, List<Totals> attempts) {
        LatencySummary.Sum latency = new LatencySummary.Sum();
        latency.add(live.removedBackendLatency());
        attempts.forEach(pool -> latency.add(pool.latency()));
        responses(json, live.frontends());
        GroupJson.fields(json, live.frontends().read().withLatency(latency.total()), live.overall());
    }

    /** Writes the responses by status class, summed over all listeners, as a field of the open object. */
    static void responses(JsonWriter json, FrontendRates frontends) {
        json.object("responses", () -> {
            for (int i = 1; i <= STATUS_CLASSES; i++) {
                json.field(i + "xx", frontends.responses(i));
            }
        });
    }

    /** Writes the error history of the first listeners as an array of the open object. */
    static void history(JsonWriter json, FrontendRates frontends) {
        json.array(
                "listeners",
                () -> frontends.listeners().stream()
                        .limit(MAX_HISTORIES)
                        .forEach(rate -> json.object(() -> {
                            HistoryJson.ring(
                                    json, "4xx_per_second", rate.clientErrors().history());
                            HistoryJson.ring(
                                    json, "5xx_per_second", rate.serverErrors().history());
                        })));
    }

    private static void listener(JsonWriter json, ListenerRate rate, Consumer<ListenerStats> certificates) {
        ListenerStats source = rate.source();
        json.object(() -> {
            json.field("name", source.name());
            json.field("addr", source.address());
            Totals requests = rate.read();
            json.field("requests", requests.requests());
            json.field("completed", requests.completed());
            json.field("errors", requests.errors());
            json.field("in_flight", requests.inFlight());
            json.field("rps", rate.rps());
            json.object("responses", () -> {
                for (int statusClass = 1; statusClass <= STATUS_CLASSES; statusClass++) {
                    json.field(statusClass + "xx", source.responses(statusClass));
                }
            });
            json.field("4xx_per_second", rate.clientErrors().perSecond());
            json.field("5xx_per_second", rate.serverErrors().perSecond());
            StatisticJson.fields(json, source.statistics());
            certificates.accept(source);
        });
    }

    private static void dns(JsonWriter json, DnsRate rate) {
        DnsStatistics dns = rate.source();
        json.array("addrs", () -> dns.addresses().forEach(json::value));
        json.field("queries", dns.queries());
        json.field("qps", rate.queriesPerSecond());
        json.field("servfail_per_second", rate.failuresPerSecond());
        StatisticJson.fields(json, dns.queryStatistics());
        json.field("forwards", dns.isForwarding());
        StatisticJson.fields(json, dns.forwardingStatistics());
        DnsCacheStats cache = dns.cache();
        json.object("cache", () -> {
            json.field("entries", cache.entries());
            json.field("bytes", cache.bytes());
            json.field("max_bytes", cache.maxBytes());
            json.field("insertions", cache.insertions());
            json.field("evictions", cache.evictions());
        });
    }
}
