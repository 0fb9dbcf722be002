package io.ballast.dashboard.metrics;

import io.ballast.core.stats.BoundStatistic;
import io.ballast.core.stats.Metric;
import io.ballast.dashboard.live.FrontendRates;
import io.ballast.dashboard.live.ListenerRate;
import io.ballast.dashboard.source.CertificateStats;
import io.ballast.dashboard.source.DnsStatistics;
import io.ballast.dashboard.source.ListenerStats;
import io.ballast.dashboard.source.PolicyStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Builds the metric families of the frontends for one metrics document. */
final class FrontendFamilies {

    private static final int STATUS_CLASSES = 5;

    private final List<MetricFamily<?>> families = new ArrayList<>();

    private FrontendFamilies() {}

    private record Labelled(ListenerStats listener, LabelSet labels) {

        static Labelled of(ListenerRate rate) {
            ListenerStats listener = rate.source();
            return new Labelled(listener, LabelSet.of(BallastMeter.LISTENER_REQUESTS.labels(), listener.name()));
        }
    }

    /**
     * A statistic of one object.
     *
     * @param labels the labels of the object
     */
    private record LabelledStatistic(BoundStatistic<?> statistic, LabelSet labels) {}

    static List<MetricFamily<?>> of(FrontendRates frontends) {
        FrontendFamilies all = new FrontendFamilies();
        all.listeners(frontends.listeners().stream().map(Labelled::of).toList());
        all.policies(frontends.policies());
        frontends.dns().ifPresent(dns -> all.dns(dns.source()));
        return all.families;
    }

    private void listeners(List<Labelled> all) {
        listener(BallastMeter.LISTENER_ERRORS, all, ListenerStats::errors); // read before the total of requests
        listener(BallastMeter.LISTENER_COMPLETED, all, ListenerStats::requestsCompleted);
        listener(BallastMeter.LISTENER_REQUESTS, all, ListenerStats::requests);
        listener(BallastMeter.LISTENER_IN_FLIGHT, all, ListenerStats::inFlight);
        families.add(new MetricFamily<>(BallastMeter.LISTENER_RESPONSES, all, (text, each) -> {
            text.setLabels(each.labels());
            for (int i = 1; i <= STATUS_CLASSES; i++) {
                text.sample("class", i + "xx", each.listener().responses(i));
            }
        }));
        statistics(all.stream()
                .flatMap(each -> each.listener().statistics().stream()
                        .map(statistic -> new LabelledStatistic(statistic, each.labels())))
                .toList());
        families.add(new MetricFamily<>(BallastMeter.CERTIFICATE_EXPIRY, all, (text, each) -> {
            text.setLabels(each.labels());
            expiries(each.listener()).forEach((file, expiry) -> text.sample("certificate", file, expiry));
        }));
    }

    /** Returns the expiry times by file; a file that is used twice counts once. */
    private static Map<String, Long> expiries(ListenerStats listener) {
        Map<String, Long> expiries = new LinkedHashMap<>();
        for (CertificateStats certificate : listener.certificates()) {
            expiries.put(certificate.file(), certificate.notAfter().getEpochSecond());
        }
        return expiries;
    }

    private void policies(List<PolicyStats> policies) {
        statistics(policies.stream()
                .flatMap(policy -> policy.statistics().stream()
                        .map(statistic -> new LabelledStatistic(statistic, labels(policy, statistic))))
                .toList());
    }

    private static LabelSet labels(PolicyStats policy, BoundStatistic<?> statistic) {
        return LabelSet.of(statistic.statistic().metric().labels(), policy.name(), policy.kind());
    }

    private void dns(DnsStatistics dns) {
        statistics(
                dns.queryStatistics().stream().map(FrontendFamilies::unlabelled).toList());
        statistics(dns.forwardingStatistics().stream()
                .map(FrontendFamilies::unlabelled)
                .toList());
    }

    private static LabelledStatistic unlabelled(BoundStatistic<?> statistic) {
        return new LabelledStatistic(statistic, LabelSet.NONE);
    }

    /** Adds a family for each metric, in the order of its first statistic. */
    private void statistics(List<LabelledStatistic> all) {
        Map<Metric, List<LabelledStatistic>> byMetric = new LinkedHashMap<>();
        for (LabelledStatistic each : all) {
            byMetric.computeIfAbsent(each.statistic().statistic().metric(), metric -> new ArrayList<>())
                    .add(each);
        }
        byMetric.forEach((metric, statistics) -> families.add(new MetricFamily<>(
                metric,
                statistics,
                (text, each) -> each.statistic().read(new SampleWriter(text, metric, each.labels())))));
    }

    private void listener(BallastMeter meter, List<Labelled> all, ToLongFunction<ListenerStats> value) {
        families.add(new MetricFamily<>(
                meter, all, (text, each) -> text.setLabels(each.labels()).sample(value.applyAsLong(each.listener()))));
    }
}
