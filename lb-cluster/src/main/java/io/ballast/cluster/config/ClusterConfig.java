package io.ballast.cluster.config;

import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The cluster that a node belongs to. Immutable.
 *
 * @param name the name of the cluster; a node with another name is refused
 * @param bind the address on which this node accepts connections from other nodes; this node announces this address to
 *     the other nodes
 * @param peers where this node finds other nodes
 * @param voters the names of the nodes that decide on facts: 1, 3 or 5 names. All other nodes follow the decisions of
 *     these nodes
 * @param tls the files of this node's certificate, which contains the name of the node
 * @param secretKey encrypts the secrets that nodes share; without it, each node has its own secrets
 * @param secretKeyFile the file from which {@code secretKey} was read; empty if the configuration contains it
 * @param configuration where the configuration of this node comes from
 */
public record ClusterConfig(
        String name,
        HostPort bind,
        ClusterPeers peers,
        List<String> voters,
        ClusterTls tls,
        Optional<ClusterSecretKey> secretKey,
        Optional<Path> secretKeyFile,
        ConfigurationMode configuration) {

    private static final int MAX_VOTERS = 5;

    public ClusterConfig {
        voters = List.copyOf(voters);
        Checks.that(
                voters.size() % 2 == 1 && voters.size() <= MAX_VOTERS,
                "voters",
                voters.size() + " names",
                "1, 3 or 5 names");
        Checks.that(new HashSet<>(voters).size() == voters.size(), "voters", "a name twice", "each name only once");
    }

    /** Whether this node uses the active version of the cluster's configuration, if there is one. */
    public boolean isShared() {
        return configuration == ConfigurationMode.SHARED;
    }
}
