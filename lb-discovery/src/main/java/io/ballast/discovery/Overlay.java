package io.ballast.discovery;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.discovery.source.Discovered;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of pools beside their configuration. Together they make the configuration that is in force. Immutable.
 *
 * @param found the backends that each source tells of; one that is missing has told of none
 * @param edits what operators did
 */
public record Overlay(Map<SourceName, List<Discovered>> found, BackendEdits edits) {

    /** Nothing is known. */
    public static final Overlay EMPTY = new Overlay(Map.of(), BackendEdits.NONE);

    public Overlay {
        found = Map.copyOf(found);
    }

    /**
     * Returns the configuration with all backends. In each pool those of the file come first, then those of its sources in their
     * order, then those that operators added; an address that several tell of is what the first says, or what operators made of
     * it. Never fails: all that is in it has been checked.
     */
    public BallastConfig apply(BallastConfig file) {
        Map<String, PoolConfig> pools = new LinkedHashMap<>(file.pools());
        pools.replaceAll(this::merged);
        return file.withPools(pools);
    }

    private PoolConfig merged(String name, PoolConfig pool) {
        if (pool.discover().isEmpty() && edits.all().isEmpty()) {
            return pool;
        }
        Map<Address, BackendConfig> merged = new LinkedHashMap<>();
        Set<Address> removed = new HashSet<>();
        for (BackendConfig each : pool.backends()) {
            Optional<BackendConfig> edited = edited(name, each, Optional.of(each));
            edited.ifPresentOrElse(as -> merged.put(as.address(), as), () -> removed.add(each.address()));
        }
        Map<Address, BackendConfig> draining = new LinkedHashMap<>();
        for (PoolSource source : PoolSource.of(name, pool.discover())) {
            for (Discovered each : found.getOrDefault(source.name(), List.of())) {
                Optional<BackendConfig> edited = edited(name, as(each, each.weight()), Optional.empty());
                if (edited.isEmpty() || removed.contains(each.address())) {
                    continue;
                }
                BackendConfig as = each.draining() ? withoutWeight(edited.get()) : edited.get();
                if (merged.putIfAbsent(as.address(), as) == null && each.draining()) {
                    draining.put(as.address(), edited.get());
                }
            }
        }
        for (BackendEdit edit : edits.of(name)) {
            if (edit.kind() == BackendEdit.Kind.ADDED) {
                merged.putIfAbsent(edit.backend().address(), edit.backend());
            }
        }
        // Whoever is about to leave still serves while there is nobody else.
        if (merged.values().stream().noneMatch(each -> each.weight() > 0)) {
            merged.putAll(draining);
        }
        return pool.toBuilder().backends(new ArrayList<>(merged.values())).build();
    }

    /** What operators made of a backend; empty if they removed it. */
    private Optional<BackendConfig> edited(String pool, BackendConfig told, Optional<BackendConfig> file) {
        Optional<BackendEdit> edit = edits.find(pool, told.address())
                .filter(each ->
                        each.kind() != BackendEdit.Kind.ADDED && each.file().equals(file));
        return edit.isEmpty()
                ? Optional.of(told)
                : edit.map(BackendEdit::backend).filter(as -> edit.get().kind() == BackendEdit.Kind.CHANGED);
    }

    private static BackendConfig withoutWeight(BackendConfig backend) {
        return backend.with(/* otherWeight= */ 0, backend.backup());
    }

    private static BackendConfig as(Discovered backend, int weight) {
        return new BackendConfig(
                backend.address(),
                weight,
                BackendConfig.DEFAULT_PRIORITY,
                backend.backup(),
                /* region= */ Optional.empty());
    }
}
