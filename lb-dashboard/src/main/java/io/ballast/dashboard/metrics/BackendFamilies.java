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
import java.util.function.Function;
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

    /** An object with samples in several families. */
    private interface LabelledSubject {
        LabelSet labels();
    }

    private record LabelledPool(PoolSeries series, LabelSet labels) implements LabelledSubject {

        Pool pool() {
            return series.pool();
        }
    }

    private record LabelledBackend(Member member, Backend backend, LabelSet labels) implements LabelledSubject {}

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
        addAll(PoolStatistics.ALL, pools, LabelledPool::pool);
    }

    private void backends() {
        addAll(BackendStatistics.ALL, backends, LabelledBackend::backend);
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
        add(meter, pools, each -> value.applyAsLong(each.pool()));
    }

    private void backend(BallastMeter meter, ToLongFunction<LabelledBackend> value) {
        add(meter, backends, value);
    }

    /** Adds a family with one sample for each subject. */
    private <L extends LabelledSubject> void add(BallastMeter meter, List<L> subjects, ToLongFunction<L> value) {
        families.add(new MetricFamily<>(
                meter, subjects, (text, each) -> text.setLabels(each.labels()).sample(value.applyAsLong(each))));
    }

    /** Adds a family for each statistic, with the samples of each subject. */
    private <S, L extends LabelledSubject> void addAll(
            List<Statistic<S>> statistics, List<L> subjects, Function<L, S> source) {
        for (Statistic<S> statistic : statistics) {
            families.add(new MetricFamily<>(statistic.metric(), subjects, (text, each) -> {
                SampleWriter samples = new SampleWriter(text, statistic.metric(), each.labels());
                statistic.reader().read(source.apply(each), samples);
            }));
        }
    }
}
