package io.ballast.dns.zone;

import io.ballast.core.geo.GeoSource;
import io.ballast.core.geo.Regions;
import io.ballast.core.pool.Topology;
import io.ballast.dns.learn.RoundTripTimes;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What zones stand on.
 *
 * @param topology has the pools of the services
 * @param geo tells the regions of clients, absent if the configuration has none
 * @param nanoTime the time, as {@link System#nanoTime} tells it
 */
public record Surroundings(Topology topology, Optional<GeoSource> geo, LongSupplier nanoTime) {

    /** Pools, and no geography. */
    public static Surroundings of(Topology topology) {
        return of(topology, Optional.empty());
    }

    public static Surroundings of(Topology topology, Optional<GeoSource> geo) {
        return new Surroundings(topology, geo, System::nanoTime);
    }

    @Nullable Regions regions() {
        return geo.map(GeoSource::regions).orElse(null);
    }

    Moment now(RoundTripTimes learned) {
        return new Moment(topology, learned, nanoTime.getAsLong());
    }
}
