package io.ballast.discovery;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.discovery.source.DiscoveredBackend;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The changes to the pools of a configuration file: discovered backends and edits of operators. Immutable.
 *
 * @param reportedBackends the reported backends of each source; a source without an entry has not answered
 *     yet
 * @param edits the edits of operators
 */
public record Overlay(Map<SourceName, List<DiscoveredBackend>> reportedBackends, BackendEdits edits) {

    /** No changes. */
    public static final Overlay EMPTY = new Overlay(Map.of(), BackendEdits.NONE);

    public Overlay {
        reportedBackends = Map.copyOf(reportedBackends);
    }

    /**
     * Returns the configuration with all backends. Each pool first lists the backends of the configuration file, then
     * the backends of its sources in their configured order. The backends that operators added come last. If an address
     * occurs more than once, the first entry is used, unless an operator edited the backend. Never fails, because all
     * entries have been checked.
     */
    public BallastConfig apply(BallastConfig file) {
        Map<String, PoolConfig> pools = new LinkedHashMap<>(file.pools());
        pools.replaceAll(this::merged);
        return file.withPools(pools);
    }

    private PoolConfig merged(String name, PoolConfig pool) {
        if (!pool.hasChangingBackends() && edits.all().isEmpty()) {
            return pool;
        }
        Map<Address, BackendConfig> merged = new LinkedHashMap<>();
        Set<Address> removed = new HashSet<>();
        for (BackendConfig each : pool.backends()) {
            Optional<BackendConfig> edited = edited(name, each, Optional.of(each));
            edited.ifPresentOrElse(as -> merged.put(as.address(), as), () -> removed.add(each.address()));
        }
        Map<Address, BackendConfig> draining = new LinkedHashMap<>();
        for (PoolSource source : PoolSource.of(name, pool)) {
            for (DiscoveredBackend each : reportedBackends.getOrDefault(source.name(), List.of())) {
                Optional<BackendConfig> edited = edited(name, toBackendConfig(each, each.weight()), Optional.empty());
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
        // Draining backends serve only if there are no other backends.
        if (merged.values().stream().noneMatch(each -> each.weight() > 0)) {
            merged.putAll(draining);
        }
        return pool.toBuilder().backends(new ArrayList<>(merged.values())).build();
    }

    /** Returns a backend with its edit applied; empty if an operator removed it. */
    private Optional<BackendConfig> edited(String pool, BackendConfig reported, Optional<BackendConfig> file) {
        Optional<BackendEdit> edit = edits.find(pool, reported.address())
                .filter(each -> each.kind() != BackendEdit.Kind.ADDED
                        && each.fileEntry().equals(file));
        return edit.isEmpty()
                ? Optional.of(reported)
                : edit.map(BackendEdit::backend).filter(as -> edit.get().kind() == BackendEdit.Kind.CHANGED);
    }

    private static BackendConfig withoutWeight(BackendConfig backend) {
        return backend.with(/* otherWeight= */ 0, backend.backup());
    }

    private static BackendConfig toBackendConfig(DiscoveredBackend backend, int weight) {
        return new BackendConfig(
                backend.address(),
                weight,
                BackendConfig.DEFAULT_PRIORITY,
                backend.backup(),
                /* region= */ Optional.empty());
    }
}
