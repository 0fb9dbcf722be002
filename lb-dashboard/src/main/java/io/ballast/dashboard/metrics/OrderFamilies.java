package io.ballast.dashboard.metrics;

import io.ballast.dashboard.source.OnDemandCount;
import io.ballast.dashboard.source.OrderedCertificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Builds the metric families of certificates that are ordered by ACME, for one metrics document. */
final class OrderFamilies {

    private OrderFamilies() {}

    static List<MetricFamily<?>> of(List<OrderedCertificate> certificates, List<OnDemandCount> onDemand) {
        return List.of(
                family(BallastMeter.ACME_EXPIRY, certificates, each -> seconds(each.notAfter())),
                family(BallastMeter.ACME_LAST_SUCCESS, certificates, each -> seconds(each.lastSuccess())),
                family(BallastMeter.ACME_FAILURES, certificates, OrderedCertificate::failures),
                new MetricFamily<>(
                        BallastMeter.ACME_ISSUER,
                        certificates.stream()
                                .filter(each -> each.issuer().isPresent())
                                .toList(),
                        (text, each) -> text.setLabels(LabelSet.of(
                                        BallastMeter.ACME_ISSUER.labels(),
                                        each.name(),
                                        each.issuer().orElseThrow()))
                                .sample(1)),
                new MetricFamily<>(
                        BallastMeter.ACME_ON_DEMAND,
                        onDemand,
                        (text, each) -> text.setLabels(LabelSet.of(BallastMeter.ACME_ON_DEMAND.labels(), each.result()))
                                .sample(each.count())));
    }

    private static long seconds(Optional<Instant> time) {
        return time.map(Instant::getEpochSecond).orElse(0L);
    }

    private static MetricFamily<OrderedCertificate> family(
            BallastMeter meter, List<OrderedCertificate> certificates, ToLongFunction<OrderedCertificate> value) {
        return new MetricFamily<>(
                meter,
                certificates,
                (text, each) ->
                        text.setLabels(LabelSet.of(meter.labels(), each.name())).sample(value.applyAsLong(each)));
    }
}
