package io.ballast.discovery;

import io.ballast.config.BallastConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.discovery.source.Discovered;
import io.ballast.discovery.source.Source;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sources that a configuration names, in its order.
 *
 * <p>Thread safety: {@link #stats} may be called by any thread, everything else on the control plane's, but for {@link #restore}
 * and {@link #start}, which come first.
 */
final class FollowedSources implements AutoCloseable {

    private final SourceFactory factory;
    private final ControlPlane control;
    private final FollowedSource.Observer observer;
    private volatile Map<PoolSource, FollowedSource> sources = Map.of();

    /** @param observer receives the changes of all sources */
    FollowedSources(SourceFactory factory, ControlPlane control, FollowedSource.Observer observer) {
        this.factory = factory;
        this.control = control;
        this.observer = observer;
    }

    /** Takes those of a configuration, and what they told before the process started. Called once, and first. */
    void restore(BallastConfig config, Map<SourceName, List<Discovered>> told) {
        Map<PoolSource, FollowedSource> all = new LinkedHashMap<>();
        for (PoolSource each : PoolSource.of(config)) {
            all.put(each, made(each, Optional.ofNullable(told.get(each.name())), FollowedSource.Stats.NONE));
        }
        sources = all;
    }

    /** Begins to listen to them. */
    void start() {
        control.execute(() -> sources.values().forEach(FollowedSource::start));
    }

    /**
     * Follows the sources of this configuration only; unchanged sources continue. The last answer of a source with other settings
     * stays in use until it answers again.
     *
     * @return whether the set of sources has changed
     */
    boolean follow(BallastConfig config) {
        List<PoolSource> named = PoolSource.of(config);
        Map<PoolSource, FollowedSource> before = sources;
        if (List.copyOf(before.keySet()).equals(named)) {
            return false;
        }
        Map<PoolSource, FollowedSource> next = made(named, before);
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

    private Map<PoolSource, FollowedSource> made(List<PoolSource> named, Map<PoolSource, FollowedSource> running) {
        Map<SourceName, FollowedSource> before = new HashMap<>();
        running.values().forEach(each -> before.put(each.named().name(), each));
        Map<PoolSource, FollowedSource> all = new LinkedHashMap<>();
        for (PoolSource each : named) {
            FollowedSource same = running.get(each);
            all.put(each, same != null ? same : made(each, Optional.ofNullable(before.get(each.name()))));
        }
        return all;
    }

    private FollowedSource made(PoolSource named, Optional<FollowedSource> replaced) {
        return made(
                named,
                replaced.flatMap(FollowedSource::inUse),
                replaced.map(FollowedSource::stats).orElse(FollowedSource.Stats.NONE));
    }

    private FollowedSource made(PoolSource named, Optional<List<Discovered>> told, FollowedSource.Stats before) {
        Optional<List<Discovered>> known = told.map(backends ->
                Screening.of(backends, named.discovery().allowLocal()).backends());
        Source source = factory.create(named.discovery().source());
        return new FollowedSource(named, source, known, before, control, observer);
    }

    /** Returns the accepted backends of each source; a missing source has not answered yet. */
    Map<SourceName, List<Discovered>> found() {
        Map<SourceName, List<Discovered>> found = new LinkedHashMap<>();
        sources.forEach((source, told) -> told.inUse().ifPresent(backends -> found.put(source.name(), backends)));
        return found;
    }

    /** How they are. */
    List<Discovery.SourceStats> stats() {
        return sources.values().stream().map(FollowedSources::stats).toList();
    }

    private static Discovery.SourceStats stats(FollowedSource each) {
        FollowedSource.Stats stats = each.stats();
        return new Discovery.SourceStats(
                each.named().pool(), each.named().label(), stats.backends(), stats.lastSuccess(), stats.failures());
    }

    /** Ends all. */
    @Override
    public void close() {
        sources.values().forEach(FollowedSource::close);
    }
}
