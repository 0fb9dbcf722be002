package io.ballast.discovery;

import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.source.Source;

/** Creates the source for a configuration. */
@FunctionalInterface
public interface SourceFactory {

    /** Returns a source that has not started. */
    Source create(DiscoveryConfig config);
}
