package io.ballast.dns.zone;

import io.ballast.core.geo.GeoSource;
import io.ballast.core.geo.Regions;
import io.ballast.core.pool.Topology;
import io.ballast.dns.follow.AliasAddresses;
import io.ballast.dns.learn.RoundTripTimes;
import io.ballast.dns.zone.pool.PoolView;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of compiling zones.
 *
 * @param topology the pools of the services
 * @param geo the regions of clients; absent if not configured
 * @param nanoTime a clock like {@link System#nanoTime}
 * @param compiler executor that compiles services, one task after the other, in parallel to the control plane
 * @param aliasAddresses the addresses of alias targets outside the zones
 */
public record ZoneInputs(
        Topology topology,
        Optional<GeoSource> geo,
        LongSupplier nanoTime,
        Executor compiler,
        AliasAddresses aliasAddresses) {

    /** Creates inputs without alias targets: services answer only with the addresses of pools. */
    public ZoneInputs(Topology topology, Optional<GeoSource> geo, LongSupplier nanoTime, Executor compiler) {
        this(topology, geo, nanoTime, compiler, AliasAddresses.NONE);
    }

    /** Creates inputs whose services are compiled on the calling thread. */
    public ZoneInputs(Topology topology, Optional<GeoSource> geo, LongSupplier nanoTime) {
        this(topology, geo, nanoTime, Runnable::run);
    }

    /** Creates inputs with pools, without regions of clients. */
    public static ZoneInputs of(Topology topology) {
        return of(topology, Optional.empty());
    }

    public static ZoneInputs of(Topology topology, Optional<GeoSource> geo) {
        return new ZoneInputs(topology, geo, System::nanoTime);
    }

    /** Returns a copy with another compiler. */
    public ZoneInputs withCompiler(Executor other) {
        return new ZoneInputs(topology, geo, nanoTime, other, aliasAddresses);
    }

    /** Returns a copy with other alias addresses. */
    public ZoneInputs withAliasAddresses(AliasAddresses other) {
        return new ZoneInputs(topology, geo, nanoTime, compiler, other);
    }

    @Nullable Regions regions() {
        return geo.map(GeoSource::regions).orElse(null);
    }

    PoolView poolView(RoundTripTimes learned) {
        return new PoolView(topology, learned, aliasAddresses, nanoTime.getAsLong());
    }
}
