package io.ballast.core.stats;

import java.util.List;
import java.util.Locale;

/**
 * The description of a metric: a family of samples with the same name and the same labels. Immutable.
 *
 * @param id the name with dots and without the unit, such as {@code ballast.dns.queries}
 * @param unit the base unit, such as {@code bytes}; empty for plain numbers
 * @param description text for {@code # HELP} and docs/metrics.md
 * @param labels the names of the labels, in the order of the exposition
 */
public record Metric(Kind kind, String id, String unit, String description, List<String> labels) {

    /** The type of a metric. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM;

        /** Returns the type in the exposition format. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Metric {
        labels = List.copyOf(labels);
    }

    /** Creates a counter without a unit. */
    public static Metric counter(String id, String description, String... labels) {
        return new Metric(Kind.COUNTER, id, "", description, List.of(labels));
    }

    /** Creates a gauge without a unit. */
    public static Metric gauge(String id, String description, String... labels) {
        return new Metric(Kind.GAUGE, id, "", description, List.of(labels));
    }

    /** Creates a histogram of durations in seconds. */
    public static Metric histogram(String id, String description, String... labels) {
        return new Metric(Kind.HISTOGRAM, id, "seconds", description, List.of(labels));
    }

    /** Returns this metric with another base unit. */
    public Metric in(String baseUnit) {
        return new Metric(kind, id, baseUnit, description, labels);
    }

    /** Returns the name of the family in OpenMetrics, without the suffixes of its samples. */
    public String familyName() {
        String name = id.replace('.', '_');
        return unit.isEmpty() ? name : name + "_" + unit;
    }

    /** Returns the name of the family in the Prometheus text format, where counters end in {@code _total}. */
    public String exposedName() {
        return kind == Kind.COUNTER ? familyName() + "_total" : familyName();
    }
}
