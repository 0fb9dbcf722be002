package io.ballast.dashboard.metrics;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.live.DnsRate;
import io.ballast.dashboard.live.FrontendRates;
import io.ballast.dashboard.live.ListenerRate;
import io.ballast.dashboard.source.DnsStatistics;
import io.ballast.dashboard.source.ListenerStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The meters of the frontends for one document. */
final class FrontendFamilies {

    private static final int STATUS_CLASSES = 5;

    private final List<MetricFamily<?>> families = new ArrayList<>();

    private FrontendFamilies() {}

    private record Labelled(ListenerRate rate, LabelSet labels) {

        ListenerStats listener() {
            return rate.source();
        }
    }

    static List<MetricFamily<?>> of(FrontendRates frontends) {
        FrontendFamilies all = new FrontendFamilies();
        all.listeners(frontends.listeners().stream()
                .map(each -> new Labelled(
                        each,
                        LabelSet.of(
                                BallastMeter.LISTENER_REQUESTS.labels(),
                                each.source().name())))
                .toList());
        all.dns(frontends.dns().stream().toList());
        return all.families;
    }

    private void listeners(List<Labelled> all) {
        listener(BallastMeter.LISTENER_ERRORS, all, ListenerStats::errors); // read before the total that includes them
        listener(BallastMeter.LISTENER_COMPLETED, all, ListenerStats::requestsCompleted);
        listener(BallastMeter.LISTENER_REQUESTS, all, ListenerStats::requests);
        listener(BallastMeter.LISTENER_IN_FLIGHT, all, ListenerStats::inFlight);
        families.add(new MetricFamily<>(BallastMeter.LISTENER_RESPONSES, all, (text, each) -> {
            text.setLabels(each.labels());
            for (int i = 1; i <= STATUS_CLASSES; i++) {
                text.sample("class", i + "xx", each.listener().responses(i));
            }
        }));
        listener(BallastMeter.LISTENER_CONNECTIONS, all, ListenerStats::connectionsOpen);
        listener(BallastMeter.LISTENER_ACCEPTED, all, ListenerStats::connectionsAccepted);
        listener(BallastMeter.LISTENER_LIMITED, all, "reason", ListenerStats::connectionsLimited);
        listener(BallastMeter.LISTENER_FAILURES, all, "kind", ListenerStats::failures);
        listener(BallastMeter.LISTENER_RECEIVED, all, ListenerStats::bytesReceived);
        listener(BallastMeter.LISTENER_SENT, all, ListenerStats::bytesSent);
        listener(BallastMeter.LISTENER_TUNNELS, all, ListenerStats::tunnelsOpen);
        listener(BallastMeter.LISTENER_TUNNELS_OPENED, all, ListenerStats::tunnelsOpened);
        listener(BallastMeter.LISTENER_DATAGRAMS, all, "kind", ListenerStats::datagrams);
        listener(BallastMeter.LISTENER_UPGRADES_IGNORED, all, ListenerStats::upgradesIgnored);
        listener(BallastMeter.LISTENER_LOG_DROPPED, all, ListenerStats::accessLogDropped);
        listener(BallastMeter.CERTIFICATE_EXPIRY, all, "certificate", FrontendFamilies::expiries);
    }

    private static Map<String, Long> expiries(ListenerStats listener) {
        Map<String, Long> expiries = new LinkedHashMap<>();
        listener.certificates()
                .forEach(each -> expiries.put(each.file(), each.notAfter().getEpochSecond()));
        return expiries;
    }

    private void dns(List<DnsRate> all) {
        dns(BallastMeter.DNS_QUERIES, all, "type", DnsStatistics::queriesByType);
        dns(BallastMeter.DNS_RESPONSES, all, "rcode", DnsStatistics::responsesByCode);
        zones(all.stream()
                .map(dns -> dns.source().queriesByZone().entrySet())
                .flatMap(Set::stream)
                .toList());
        services(all.stream()
                .map(dns -> dns.source().queriesByService().entrySet())
                .flatMap(Set::stream)
                .toList());
        dns(BallastMeter.DNS_TRANSPORTS, all, "transport", DnsStatistics::queriesByTransport);
        dns(BallastMeter.DNS_CONNECTIONS, all, DnsStatistics::connectionsOpen);
        dns(BallastMeter.DNS_ACCEPTED, all, DnsStatistics::connectionsAccepted);
        dns(BallastMeter.DNS_LIMITED, all, "reason", DnsStatistics::connectionsLimited);
        dns(BallastMeter.DNS_HTTP_ERRORS, all, DnsStatistics::httpErrors);
        dns(BallastMeter.DNS_PROTECTION, all, "kind", DnsStatistics::protection);
        dns(BallastMeter.DNS_FORWARDED_QUERIES, all, DnsStatistics::forwardedQueries);
        dns(BallastMeter.DNS_FORWARDED, all, "outcome", DnsStatistics::forwarded);
        dns(BallastMeter.DNS_TRANSFERS, all, "outcome", DnsStatistics::transfers);
        dns(BallastMeter.DNS_UPDATES, all, "outcome", DnsStatistics::updates);
        dns(BallastMeter.DNS_NOTIFIES, all, "outcome", DnsStatistics::notifies);
        answerTimes(all.stream()
                .map(dns -> dns.source().answerTimes().entrySet())
                .flatMap(Set::stream)
                .toList());
        dns(BallastMeter.DNS_FOLLOW_UPS, all, "outcome", DnsStatistics::followUps);
        dns(BallastMeter.DNS_FOLLOWED_NAMES, all, "state", DnsStatistics::followedNames);
        dns(BallastMeter.DNS_QUESTIONS, all, "kind", DnsStatistics::upstreamQuestions);
        dns(BallastMeter.DNS_UPSTREAM_EVENTS, all, "event", DnsStatistics::upstreamEvents);
        dns(BallastMeter.DNS_VALIDATED, all, "verdict", DnsStatistics::validated);
        families.add(new MetricFamily<>(
                BallastMeter.DNS_VALIDATION,
                all,
                (text, each) ->
                        text.setLabels(LabelSet.NONE).sampleNanos(each.source().validationNanos())));
        dns(BallastMeter.DNS_BLOCKED, all, "list", DnsStatistics::blockedByList);
        dns(BallastMeter.DNS_RULES, all, "list", DnsStatistics::rulesByList);
        dns(BallastMeter.DNS_LIST_FAILING, all, "list", DnsStatistics::failingLists);
        dns(BallastMeter.DNS_SECONDARY_SERVED, all, "zone", DnsStatistics::secondaryServed);
        dns(BallastMeter.DNS_SECONDARY_FAILURES, all, "zone", DnsStatistics::secondaryFailures);
        dns(BallastMeter.DNS_SECONDARY_SERIAL, all, "zone", DnsStatistics::secondarySerials);
        dns(BallastMeter.DNS_WAITING, all, DnsStatistics::waitingQueries);
        dns(BallastMeter.DNS_CACHE_ENTRIES, all, dns -> dns.cache().entries());
        dns(BallastMeter.DNS_CACHE_BYTES, all, dns -> dns.cache().bytes());
        dns(BallastMeter.DNS_CACHE_MAX_BYTES, all, dns -> dns.cache().maxBytes());
        dns(BallastMeter.DNS_CACHE_EVICTIONS, all, dns -> dns.cache().evictions()); // read before their total
        dns(BallastMeter.DNS_CACHE_INSERTIONS, all, dns -> dns.cache().insertions());
        dns(BallastMeter.DNS_LOGGED, all, "to", DnsStatistics::logged);
        dns(BallastMeter.DNS_LOG_DROPPED, all, "at", DnsStatistics::logDropped);
    }

    private void zones(List<Map.Entry<String, Map<String, Long>>> all) {
        families.add(new MetricFamily<>(BallastMeter.DNS_ZONE_QUERIES, all, (text, zone) -> {
            text.setLabels(LabelSet.of(BallastMeter.DNS_ZONE_QUERIES.labels(), zone.getKey()));
            zone.getValue().forEach((outcome, queries) -> text.sample("outcome", outcome, queries));
        }));
    }

    private void answerTimes(List<Map.Entry<String, LatencySummary>> all) {
        HistogramBuckets buckets = new HistogramBuckets(HistogramBuckets.SHORT_BOUNDS);
        families.add(new MetricFamily<>(BallastMeter.DNS_ANSWER_TIME, all, (text, times) -> {
            buckets.clear();
            buckets.add(times.getValue());
            text.setLabels(LabelSet.of(BallastMeter.DNS_ANSWER_TIME.labels(), times.getKey()))
                    .histogram(buckets.computeCumulativeCounts());
        }));
    }

    private void services(List<Map.Entry<String, Long>> all) {
        families.add(new MetricFamily<>(
                BallastMeter.DNS_SERVICE_QUERIES,
                all,
                (text, service) ->
                        text.setLabels(LabelSet.NONE).sample("service", service.getKey(), service.getValue())));
    }

    private void listener(BallastMeter meter, List<Labelled> all, ToLongFunction<ListenerStats> value) {
        families.add(new MetricFamily<>(
                meter, all, (text, each) -> text.setLabels(each.labels()).sample(value.applyAsLong(each.listener()))));
    }

    private void listener(
            BallastMeter meter, List<Labelled> all, String label, Function<ListenerStats, Map<String, Long>> values) {
        families.add(new MetricFamily<>(meter, all, (text, each) -> {
            text.setLabels(each.labels());
            values.apply(each.listener()).forEach((word, value) -> text.sample(label, word, value));
        }));
    }

    private void dns(BallastMeter meter, List<DnsRate> all, ToLongFunction<DnsStatistics> value) {
        families.add(new MetricFamily<>(
                meter, all, (text, each) -> text.setLabels(LabelSet.NONE).sample(value.applyAsLong(each.source()))));
    }

    private void dns(
            BallastMeter meter, List<DnsRate> all, String label, Function<DnsStatistics, Map<String, Long>> values) {
        families.add(new MetricFamily<>(meter, all, (text, each) -> {
            text.setLabels(LabelSet.NONE);
            values.apply(each.source()).forEach((word, value) -> text.sample(label, word, value));
        }));
    }
}
