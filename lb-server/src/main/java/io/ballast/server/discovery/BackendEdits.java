package io.ballast.server.discovery;

import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BallastConfig;
import io.ballast.core.config.PoolConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What operators did about backends, by pool and address. Immutable. */
record BackendEdits(Map<Key, BackendEdit> all) {

    static final BackendEdits NONE = new BackendEdits(Map.of());

    /** Of all pools together. */
    static final int MOST = 10_000;

    /** Which backend of which pool. */
    record Key(String pool, Address address) {}

    BackendEdits {
        all = Collections.unmodifiableMap(new LinkedHashMap<>(all));
    }

    Optional<BackendEdit> find(String pool, Address address) {
        return Optional.ofNullable(all.get(new Key(pool, address)));
    }

    /** @throws IllegalStateException if there would be more than {@link #MOST} */
    BackendEdits with(Key key, BackendEdit edit) {
        Map<Key, BackendEdit> next = new LinkedHashMap<>(all);
        next.put(key, edit);
        if (next.size() > MOST) {
            throw new IllegalStateException("more than " + MOST + " backends are added, changed or removed");
        }
        return new BackendEdits(next);
    }

    BackendEdits without(Key key) {
        Map<Key, BackendEdit> next = new LinkedHashMap<>(all);
        next.remove(key);
        return new BackendEdits(next);
    }

    /** Those of a pool, in the order of the addresses. */
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

    /** Those that still mean something by this file, and by what all sources tell. */
    BackendEdits current(BallastConfig file, Map<PoolSource, List<Discovered>> found) {
        Map<Key, BackendEdit> next = new LinkedHashMap<>(all);
        next.entrySet().removeIf(each -> !isCurrent(each.getKey(), each.getValue(), file, found));
        return next.size() == all.size() ? this : new BackendEdits(next);
    }

    private static boolean isCurrent(
            Key key, BackendEdit edit, BallastConfig file, Map<PoolSource, List<Discovered>> found) {
        PoolConfig pool = file.pools().get(key.pool());
        if (pool == null || !edit.file().equals(fileEntry(pool, key.address()))) {
            return false;
        }
        if (edit.kind() == BackendEdit.Kind.ADDED || edit.file().isPresent()) {
            return true;
        }
        // It was a source that told of it: once none does, the address may be another's tomorrow.
        for (PoolSource source : PoolSource.of(key.pool(), pool.discover())) {
            List<Discovered> told = found.get(source);
            if (told == null || told.stream().anyMatch(each -> each.address().equals(key.address()))) {
                return true;
            }
        }
        return false;
    }

    /** What a file says of a backend of a pool. */
    static Optional<BackendConfig> fileEntry(PoolConfig pool, Address address) {
        return pool.backends().stream()
                .filter(each -> each.address().equals(address))
                .findFirst();
    }
}
