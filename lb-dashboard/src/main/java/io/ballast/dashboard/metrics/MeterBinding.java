package io.ballast.dashboard.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Registers meters that read a function, and takes them away again together. Keep a reference to it: Micrometer holds
 * what its counters read weakly, and that is the binding.
 */
final class MeterBinding {

    private final List<Meter> registered = new ArrayList<>();
    private final MeterRegistry registry;

    MeterBinding(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Registers a meter of kind counter or gauge, with the values of its labels in their order. */
    void register(BallastMeter meter, DoubleSupplier value, String... labelValues) {
        Tags tags = Tags.empty();
        for (int i = 0; i < labelValues.length; i++) {
            tags = tags.and(meter.labels().get(i), labelValues[i]);
        }
        registered.add(
                meter.kind() == BallastMeter.Kind.COUNTER
                        ? counter(meter, value, tags)
                        : Gauge.builder(meter.id(), value::getAsDouble)
                                .description(meter.meaning())
                                .baseUnit(unit(meter))
                                .tags(tags)
                                .register(registry));
    }

    /** Takes every meter of this binding out of the registry. */
    void unregister() {
        registered.forEach(registry::remove);
        registered.clear();
    }

    private Meter counter(BallastMeter meter, DoubleSupplier value, Tags tags) {
        return FunctionCounter.builder(meter.id(), this, unused -> value.getAsDouble())
                .description(meter.meaning())
                .baseUnit(unit(meter))
                .tags(tags)
                .register(registry);
    }

    private static @Nullable String unit(BallastMeter meter) {
        return meter.unit().isEmpty() ? null : meter.unit();
    }
}
