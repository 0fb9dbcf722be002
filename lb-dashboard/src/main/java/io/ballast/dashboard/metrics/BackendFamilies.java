package io.ballast.dashboard.metrics;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.BackendStatistics;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.pool.PoolStatistics;
import io.ballast.core.stats.Statistic;
import io.ballast.dashboard.config.Histograms;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.PoolSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Builds the metric families of pools and backends for one metrics document. */
final class BackendFamilies {

    private final List<MetricFamily<?>> families = new ArrayList<>();
    private final List<LabelledPool> pools = new ArrayList<>();
    private final List<LabelledBackend> backends = new ArrayList<>();
    private final HistogramBuckets buckets = new HistogramBuckets(HistogramBuckets.BOUNDS);

    private BackendFamilies(List<PoolSeries> all) {
        for (PoolSeries series : all) {
            String name = series.pool().name();
            pools.add(new LabelledPool(series, LabelSet.of(BallastMeter.POOL_BACKENDS.labels(), name)));
            for (BackendSeries each : series.backends()) {
                Backend backend = each.backend();
                LabelSet labels = LabelSet.of(
                        BallastMeter.BACKEND_WEIGHT.labels(),
                        name,
                        backend.address().toString());
                backends.add(new LabelledBackend(each.member(), backend, labels));
            }
        }
    }

    private record LabelledPool(PoolSeries series, LabelSet labels) {

        Pool pool() {
            return series.pool();
        }
    }

    private record LabelledBackend(Member member, Backend backend, LabelSet labels) {}

    static List<MetricFamily<?>> of(List<PoolSeries> pools, Histograms histograms) {
        BackendFamilies all = new BackendFamilies(pools);
        all.pools();
        all.backends();
        all.health();
        all.responseTimes(histograms);
        return all.families;
    }

    private void pools() {
        pool(BallastMeter.POOL_BACKENDS, pool -> pool.members().size());
        pool(BallastMeter.POOL_USABLE, pool -> pool.snapshot().usable().size());
        pool(BallastMeter.POOL_PANIC, pool -> pool.snapshot().isPanic() ? 1 : 0);
        pool(BallastMeter.POOL_ERRORS, pool -> pool.counters().sum(PoolCounter.ERRORS)); // read before POOL_REQUESTS
        pool(BallastMeter.POOL_REQUESTS, pool -> pool.counters().sum(PoolCounter.REQUESTS));
        for (Statistic<Pool> statistic : PoolStatistics.ALL) {
            families.add(new MetricFamily<>(
                    statistic.metric(),
                    pools,
                    (text, each) -> statistic
                            .reader()
                            .read(each.pool(), new SampleWriter(text, statistic.metric(), each.labels()))));
        }
    }

    private void backends() {
        for (Statistic<Backend> statistic : BackendStatistics.ALL) {
            families.add(new MetricFamily<>(
                    statistic.metric(),
                    backends,
                    (text, each) -> statistic
                            .reader()
                            .read(each.backend(), new SampleWriter(text, statistic.metric(), each.labels()))));
        }
        backend(
                BallastMeter.BACKEND_WEIGHT,
                each -> each.member().withOverriddenWeight().weight());
    }

    private void health() {
        families.add(new MetricFamily<>(BallastMeter.BACKEND_STATE, backends, (text, each) -> {
            BackendState now = each.backend().health().state();
            text.setLabels(each.labels());
            for (BackendState state : BackendState.values()) {
                text.sample("state", state.label(), state == now ? 1 : 0);
            }
        }));
        backend(BallastMeter.BACKEND_EJECTIONS, each -> each.backend().ejections());
        families.add(new MetricFamily<>(
                BallastMeter.BACKEND_CHECK_TIME,
                backends,
                (text, each) -> text.setLabels(each.labels())
                        .sampleNanos(
                                each.backend().health().lastCheck().duration().toNanos())));
        backend(
                BallastMeter.BACKEND_CHECK_OK,
                each -> each.backend().health().lastCheck().ok() ? 1 : 0);
    }

    private void responseTimes(Histograms histograms) {
        families.add(new MetricFamily<>(BallastMeter.POOL_RESPONSE_TIME, pools, (text, each) -> {
            buckets.clear();
            for (BackendSeries backend : each.series().backends()) {
                buckets.add(backend.backend().stats());
            }
            // The histogram includes removed backends, so that it never decreases.
            buckets.add(each.series().removedBackendLatency());
            text.setLabels(each.labels()).histogram(buckets.computeCumulativeCounts());
        }));
        if (histograms == Histograms.PER_BACKEND) {
            families.add(new MetricFamily<>(BallastMeter.BACKEND_RESPONSE_TIME, backends, (text, each) -> {
                buckets.clear();
                buckets.add(each.backend().stats());
                text.setLabels(each.labels()).histogram(buckets.computeCumulativeCounts());
            }));
        }
    }

    private void pool(BallastMeter meter, ToLongFunction<Pool> value) {
        families.add(new MetricFamily<>(
                meter, pools, (text, each) -> text.setLabels(each.labels()).sample(value.applyAsLong(each.pool()))));
    }

    private void backend(BallastMeter meter, ToLongFunction<LabelledBackend> value) {
        families.add(new MetricFamily<>(
                meter, backends, (text, each) -> text.setLabels(each.labels()).sample(value.applyAsLong(each))));
    }
}
