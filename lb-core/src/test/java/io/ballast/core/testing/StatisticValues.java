package io.ballast.core.testing;

import io.ballast.core.stats.BoundStatistic;
import io.ballast.core.stats.LatencySummary;
import io.ballast.core.stats.SampleConsumer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of a statistic by their labels, in order; a value without labels has the empty label. */
public final class StatisticValues implements SampleConsumer {

    private final Map<String, Long> values = new LinkedHashMap<>();

    private StatisticValues() {}

    public static Map<String, Long> of(BoundStatistic<?> statistic) {
        StatisticValues all = new StatisticValues();
        statistic.read(all);
        return all.values;
    }

    /** Returns the values of the statistic with this field. */
    public static Map<String, Long> ofField(List<BoundStatistic<?>> statistics, String field) {
        return of(statistics.stream()
                .filter(each -> each.statistic().field().equals(field))
                .findFirst()
                .orElseThrow());
    }

    @Override
    public void value(long value) {
        values.put("", value);
    }

    @Override
    public void value(String label, long value) {
        values.put(label, value);
    }

    @Override
    public void value(String first, String second, long value) {
        values.put(first + " " + second, value);
    }

    @Override
    public void nanos(long nanos) {
        values.put("", nanos);
    }

    @Override
    public void histogram(String label, LatencySummary times) {
        values.put(label, times.count());
    }
}
