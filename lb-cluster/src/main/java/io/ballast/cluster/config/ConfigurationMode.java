package io.ballast.cluster.config;

/** The source of a node's configuration. */
public enum ConfigurationMode {
    /** The configuration comes from the active version of the cluster's configuration, if there is one. */
    SHARED,
    /** The configuration always comes from the node's own file. */
    LOCAL
}
