package io.ballast.discovery;

import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.source.Source;

/** Makes the source that a configuration asks for. */
@FunctionalInterface
public interface SourceFactory {

    /** Returns one that has not begun. */
    Source create(DiscoveryConfig config);
}
