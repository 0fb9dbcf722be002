package io.ballast.discovery;

import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.source.Source;

/** Creates the source for a configuration. */
@FunctionalInterface
public interface SourceFactory {

    /** Returns one that has not begun. */
    Source create(DiscoveryConfig config);
}
