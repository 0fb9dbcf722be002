package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.geo.Geography;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The locations of clients, for pools that balance by location. The databases are read only if there is such
 * a pool.
 *
 * <p>Thread safety: started, prepared and closed by one thread at a time; any thread may look up locations.
 */
final class PoolGeography implements Supplier<@Nullable Geography>, AutoCloseable {

    private final ControlPlane control;
    private final Background reader = Background.of("geo-pools", /* max= */ 1);
    private volatile Open open = new Open(Optional.empty(), Optional.empty());

    /**
     * The open GeoIP source.
     *
     * @param config the configuration of the source; empty if no pool uses client locations
     */
    private record Open(Optional<GeoConfig> config, Optional<GeoSource> source) {

        void close() {
            source.ifPresent(GeoSource::close);
        }
    }

    PoolGeography(ControlPlane control) {
        this.control = control;
    }

    /** Returns the locations of clients; null if no pool needs them, or no geolocation database is configured. */
    @Override
    public @Nullable Geography get() {
        return open.source.orElse(null);
    }

    /**
     * Reads the configured geolocation databases.
     *
     * @throws IOException if a database cannot be used; the message names it and the reason
     */
    void start(BallastConfig config) throws IOException {
        open = read(requiredConfig(config));
    }

    private static Optional<GeoConfig> requiredConfig(BallastConfig config) {
        boolean isUsed = config.pools().values().stream()
                .anyMatch(pool -> pool.strategy().needsGeography());
        return isUsed ? config.geo() : Optional.empty();
    }

    private Open read(Optional<GeoConfig> config) throws IOException {
        return new Open(
                config,
                config.isEmpty() ? Optional.empty() : Optional.of(GeoSource.open(config.get(), control, reader)));
    }

    /**
     * Prepares the GeoIP source for another configuration. The change must be committed after the pools.
     *
     * @throws IOException like {@link #start}
     */
    PreparedChange prepare(BallastConfig next, Topology pools) throws IOException {
        Optional<GeoConfig> wanted = requiredConfig(next);
        return new Change(open, wanted.equals(open.config) ? open : read(wanted), pools);
    }

    private final class Change implements PreparedChange {

        private final Open before;
        private final Open next;
        private final Topology pools;
        private boolean committed;

        Change(Open before, Open next, Topology pools) {
            this.before = before;
            this.next = next;
            this.pools = pools;
        }

        @Override
        public List<String> warnings() {
            return List.of();
        }

        @Override
        public void commit() {
            committed = true;
            if (next.equals(before)) {
                return;
            }
            open = next;
            pools.poolList().stream()
                    .filter(pool -> pool.config().strategy().needsGeography())
                    .forEach(Pool::refresh);
        }

        @Override
        public void releasePrevious() {
            if (!next.equals(before)) {
                before.close();
            }
        }

        @Override
        public void close() {
            if (!committed && !next.equals(before)) {
                next.close();
            }
        }
    }

    @Override
    public void close() {
        open.close();
        reader.close();
    }
}
