package io.ballast.cluster.config;

/** Where the configuration of a node comes from. */
public enum ConfigurationMode {
    /** From the active version of the cluster's configuration, if there is one. */
    SHARED,
    /** Always from the node's own file. */
    LOCAL
}
