package io.ballast.discovery;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.discovery.source.DiscoveredBackend;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The edits of operators, by pool and address. Immutable. */
record BackendEdits(Map<Key, BackendEdit> all) {

    static final BackendEdits NONE = new BackendEdits(Map.of());

    /** The maximum number of edits of all pools together. */
    static final int MAX = 10_000;

    /** Identifies a backend of a pool. */
    record Key(String pool, Address address) {}

    BackendEdits {
        all = Collections.unmodifiableMap(new LinkedHashMap<>(all));
    }

    Optional<BackendEdit> find(String pool, Address address) {
        return Optional.ofNullable(all.get(new Key(pool, address)));
    }

    /** @throws IllegalStateException if there would be more than {@link #MAX} edits */
    BackendEdits with(Key key, BackendEdit edit) {
        Map<Key, BackendEdit> next = new LinkedHashMap<>(all);
        next.put(key, edit);
        if (next.size() > MAX) {
            throw new IllegalStateException("more than " + MAX + " backends are added, changed or removed");
        }
        return new BackendEdits(next);
    }

    BackendEdits without(Key key) {
        Map<Key, BackendEdit> next = new LinkedHashMap<>(all);
        next.remove(key);
        return new BackendEdits(next);
    }

    /** Returns the edits of a pool in the order of the addresses. */
    List<BackendEdit> of(String pool) {
        List<BackendEdit> edits = new ArrayList<>();
        all.forEach((key, edit) -> {
            if (key.pool().equals(pool)) {
                edits.add(edit);
            }
        });
        edits.sort(Comparator.comparing(edit -> edit.backend().address().toString()));
        return edits;
    }

    /** Returns the edits that still apply, given this configuration file and the reported backends. */
    BackendEdits current(BallastConfig file, Map<SourceName, List<DiscoveredBackend>> found) {
        Map<String, KnownBackends> pools = new HashMap<>();
        Map<Key, BackendEdit> next = new LinkedHashMap<>(all);
        next.entrySet().removeIf(each -> {
            PoolConfig pool = file.pools().get(each.getKey().pool());
            if (pool == null) {
                return true;
            }
            KnownBackends known =
                    pools.computeIfAbsent(each.getKey().pool(), name -> KnownBackends.of(pool, name, found));
            return !known.isApplicable(each.getKey().address(), each.getValue());
        });
        return next.size() == all.size() ? this : new BackendEdits(next);
    }

    /**
     * The known backends of a pool, by address; computed once and used for all edits.
     *
     * @param reportedAddresses the addresses that the pool's discovery sources reported
     * @param complete whether all discovery sources have reported
     */
    private record KnownBackends(
            Map<Address, BackendConfig> fileEntries, Set<Address> reportedAddresses, boolean complete) {

        static KnownBackends of(PoolConfig pool, String name, Map<SourceName, List<DiscoveredBackend>> found) {
            Map<Address, BackendConfig> file = new HashMap<>();
            pool.backends().forEach(each -> file.putIfAbsent(each.address(), each));
            Set<Address> reported = new HashSet<>();
            boolean complete = true;
            for (PoolSource source : PoolSource.of(name, pool)) {
                List<DiscoveredBackend> backends = found.get(source.name());
                if (backends == null) {
                    complete = false;
                } else {
                    backends.forEach(each -> reported.add(each.address()));
                }
            }
            return new KnownBackends(file, reported, complete);
        }

        boolean isApplicable(Address address, BackendEdit edit) {
            if (!edit.fileEntry().equals(Optional.ofNullable(fileEntries.get(address)))) {
                return false;
            }
            // Drop the edit of a backend that came from a source when no source reports the backend any more. Its
            // address may later belong to another server.
            return edit.kind() == BackendEdit.Kind.ADDED
                    || edit.fileEntry().isPresent()
                    || !complete
                    || reportedAddresses.contains(address);
        }
    }

    /** Returns the entry of a backend in the configuration file. */
    static Optional<BackendConfig> fileEntry(PoolConfig pool, Address address) {
        return pool.backends().stream()
                .filter(each -> each.address().equals(address))
                .findFirst();
    }
}
