package io.ballast.discovery;

import io.ballast.config.BallastConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.Source;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sources of a configuration, in the order of the configuration.
 *
 * <p>Thread safety: {@link #stats} may be called by any thread. {@link #restore} and {@link #start} are
 * called first; all other methods are called on the control plane's thread.
 */
final class TrackedSources implements AutoCloseable {

    private final SourceFactory factory;
    private final ControlPlane control;
    private final TrackedSource.Observer observer;
    private volatile Map<PoolSource, TrackedSource> sources = Map.of();

    /** @param observer receives the changes of all sources */
    TrackedSources(SourceFactory factory, ControlPlane control, TrackedSource.Observer observer) {
        this.factory = factory;
        this.control = control;
        this.observer = observer;
    }

    /** Creates the sources of a configuration with their stored results. Must be the first call. */
    void restore(BallastConfig config, Map<SourceName, List<DiscoveredBackend>> saved) {
        Map<PoolSource, TrackedSource> all = new LinkedHashMap<>();
        for (PoolSource each : PoolSource.of(config)) {
            all.put(each, createSources(each, Optional.ofNullable(saved.get(each.name())), TrackedSource.Stats.NONE));
        }
        sources = all;
    }

    /** Starts the sources. */
    void start() {
        control.execute(() -> sources.values().forEach(TrackedSource::start));
    }

    /**
     * Switches to the discovery sources of this configuration. Removed sources are closed, new sources are
     * started, and unchanged sources continue. If the settings of a source have changed, its last answer stays in
     * use until the source answers again.
     *
     * @return whether the set of sources has changed
     */
    boolean follow(BallastConfig config) {
        List<PoolSource> named = PoolSource.of(config);
        Map<PoolSource, TrackedSource> before = sources;
        if (List.copyOf(before.keySet()).equals(named)) {
            return false;
        }
        Map<PoolSource, TrackedSource> next = createSources(named, before);
        sources = next;
        before.forEach((name, source) -> {
            if (!next.containsKey(name)) {
                source.close();
            }
        });
        next.forEach((name, source) -> {
            if (!before.containsKey(name)) {
                source.start();
            }
        });
        return true;
    }

    private Map<PoolSource, TrackedSource> createSources(
            List<PoolSource> named, Map<PoolSource, TrackedSource> running) {
        Map<SourceName, TrackedSource> before = new HashMap<>();
        running.values().forEach(each -> before.put(each.poolSource().name(), each));
        Map<PoolSource, TrackedSource> all = new LinkedHashMap<>();
        for (PoolSource each : named) {
            TrackedSource same = running.get(each);
            all.put(each, same != null ? same : createSources(each, Optional.ofNullable(before.get(each.name()))));
        }
        return all;
    }

    private TrackedSource createSources(PoolSource named, Optional<TrackedSource> replaced) {
        return createSources(
                named,
                replaced.flatMap(TrackedSource::backendsInUse),
                replaced.map(TrackedSource::stats).orElse(TrackedSource.Stats.NONE));
    }

    private TrackedSource createSources(
            PoolSource named, Optional<List<DiscoveredBackend>> saved, TrackedSource.Stats before) {
        Optional<List<DiscoveredBackend>> known = saved.map(backends ->
                ScreenedBackends.of(backends, named.discovery().allowLocal()).backends());
        Source source = factory.create(named.discovery().source());
        return new TrackedSource(named, source, known, before, control, observer);
    }

    /** Returns the accepted backends of each source; a source without an entry has not answered yet. */
    Map<SourceName, List<DiscoveredBackend>> acceptedBackends() {
        Map<SourceName, List<DiscoveredBackend>> found = new LinkedHashMap<>();
        sources.forEach(
                (source, saved) -> saved.backendsInUse().ifPresent(backends -> found.put(source.name(), backends)));
        return found;
    }

    /** Returns the state of all sources. */
    List<Discovery.SourceStats> stats() {
        return sources.values().stream().map(TrackedSources::stats).toList();
    }

    private static Discovery.SourceStats stats(TrackedSource each) {
        TrackedSource.Stats stats = each.stats();
        return new Discovery.SourceStats(
                each.poolSource().pool(),
                each.poolSource().label(),
                stats.backends(),
                stats.lastSuccess(),
                stats.failures());
    }

    /** Closes all sources. */
    @Override
    public void close() {
        sources.values().forEach(TrackedSource::close);
    }
}
