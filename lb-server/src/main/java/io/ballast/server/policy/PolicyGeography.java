package io.ballast.server.policy;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.geo.RegionTable;
import io.ballast.policy.config.AddressListConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.address.LocationSet;
import io.ballast.policy.work.LocationLookup;
import io.ballast.policy.work.PolicyLocations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The locations of clients, for policies that decide by country or autonomous system. The databases of {@code geo} are
 * read once for each {@link LocationSet} in use, and again when they change.
 *
 * <p>Thread safety: started, prepared and closed by one thread at a time; any thread may look up locations.
 */
public final class PolicyGeography implements PolicyLocations, AutoCloseable {

    private final ControlPlane control;
    private final Background reader = Background.of("geo-policies", /* max= */ 1);
    private final Map<LocationSet, ActiveSet> sets = new ConcurrentHashMap<>();
    private volatile Open open = new Open(List.of(), Map.of());

    public PolicyGeography(ControlPlane control) {
        this.control = control;
    }

    /** The lookup for one location set. A reload replaces its source; without a source, the set contains no address. */
    private static final class ActiveSet implements LocationLookup {

        private volatile @Nullable GeoSource source;

        @Override
        public boolean contains(byte[] address) {
            GeoSource current = source;
            return current != null && RegionTable.region(current.current().find(address)) == 0;
        }
    }

    /** The databases that are in use, and the open sources of all sets. */
    private record Open(List<Path> databases, Map<LocationSet, GeoSource> sources) {

        /** Closes the sources that {@code other} does not contain. */
        void closeUnlessIn(Open other) {
            sources.forEach((set, source) -> {
                if (other.sources.get(set) != source) {
                    source.close();
                }
            });
        }
    }

    @Override
    public LocationLookup find(LocationSet set) {
        return active(set);
    }

    private ActiveSet active(LocationSet set) {
        return sets.computeIfAbsent(set, unused -> new ActiveSet());
    }

    /**
     * Reads the configured databases.
     *
     * @throws IOException if a database cannot be used; the message names it and the reason
     */
    public void start(BallastConfig config) throws IOException {
        prepare(config).commit();
    }

    /**
     * Prepares the locations for another configuration. The change must be committed before the policies.
     *
     * @throws IOException like {@link #start}
     */
    public PreparedChange prepare(BallastConfig next) throws IOException {
        List<Path> databases = next.geo().map(GeoConfig::databases).orElse(List.of());
        Open before = open;
        Map<LocationSet, GeoSource> sources = new LinkedHashMap<>();
        Open prepared = new Open(databases, sources);
        try {
            for (LocationSet set : required(next.policies().values())) {
                GeoSource kept = databases.equals(before.databases) ? before.sources.get(set) : null;
                sources.put(set, kept == null ? GeoSource.open(set.geography(databases), control, reader) : kept);
            }
        } catch (IOException | RuntimeException | Error e) {
            prepared.closeUnlessIn(before);
            throw e;
        }
        return new Change(before, prepared);
    }

    private static Set<LocationSet> required(Collection<PolicyConfig> policies) {
        Set<LocationSet> required = new LinkedHashSet<>();
        for (PolicyConfig policy : policies) {
            if (policy.rule() instanceof AddressListConfig list) {
                required.addAll(list.locations());
            }
        }
        return required;
    }

    private final class Change implements PreparedChange {

        private final Open before;
        private final Open next;
        private boolean committed;

        Change(Open before, Open next) {
            this.before = before;
            this.next = next;
        }

        @Override
        public List<String> warnings() {
            return List.of();
        }

        @Override
        public void commit() {
            committed = true;
            open = next;
            next.sources.forEach((set, source) -> active(set).source = source);
            sets.keySet().retainAll(next.sources.keySet()); // requests in flight still use the old lookups
        }

        /** Stops following the databases for sets that are no longer in use. */
        @Override
        public void releasePrevious() {
            before.closeUnlessIn(next);
        }

        @Override
        public void close() {
            if (!committed) {
                next.closeUnlessIn(before);
            }
        }
    }

    @Override
    public void close() {
        open.closeUnlessIn(new Open(List.of(), Map.of()));
        reader.close();
    }
}
