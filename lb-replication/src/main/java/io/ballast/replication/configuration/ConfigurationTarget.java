package io.ballast.replication.configuration;

import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.config.shared.SharedVersion;
import java.util.List;
import java.util.Optional;

/** The process that uses versions of the configuration. Called by one thread at a time; may block. */
public interface ConfigurationTarget {

    /** The version in use; empty if the process uses its own file. */
    Optional<SharedVersion> inUse();

    /** Checks a version as {@code lb check} does, without using it. Returns the errors; empty if there are none. */
    List<String> check(SharedVersion version, ConfigurationBundle content);

    /**
     * Uses a version from now on, also after a restart.
     *
     * @return empty if the version is now in use; otherwise the reason why it cannot be used. In this case, the version
     *     in use does not change
     */
    Optional<String> use(SharedVersion version, ConfigurationBundle content);
}
