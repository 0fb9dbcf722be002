package io.ballast.server.discovery;

import io.ballast.core.config.DiscoveryConfig;

/** Makes the source that a configuration asks for. */
@FunctionalInterface
public interface SourceFactory {

    /** Returns one that has not begun. */
    Source create(DiscoveryConfig config);
}
