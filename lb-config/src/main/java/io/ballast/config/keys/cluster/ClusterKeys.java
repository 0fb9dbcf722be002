package io.ballast.config.keys.cluster;

import io.ballast.cluster.config.ClusterConfig;
import io.ballast.cluster.config.ClusterPeers;
import io.ballast.cluster.config.ClusterSecretKey;
import io.ballast.cluster.config.ClusterTls;
import io.ballast.cluster.config.ConfigurationMode;
import io.ballast.config.key.Addresses;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.core.config.HostPort;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The keys of {@code cluster}. */
public final class ClusterKeys {

    /** The pattern of the name of a node. */
    public static final String NODE_NAME = "[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?";

    /** The key {@code configuration}. */
    public static final String CONFIGURATION_KEY = "configuration";

    private static final Type<String> NODE = Scalars.matching("name", "letters, digits, dots and hyphens", NODE_NAME);

    private static final ShapeBuilder<ClusterTls> TLS_KEYS = Shape.named(
            "cluster_tls",
            "The certificate of this node, whose common name is the name of the node. `lb cluster init` and `lb cluster"
                    + " cert` create these files. Changed files are used for new connections.");
    private static final Key<Path> CERTIFICATE = TLS_KEYS.required(
            "certificate",
            new FileType(),
            "PEM file with the certificate of this node, followed by its issuer certificates",
            ClusterTls::certificate);
    private static final Key<Path> KEY = TLS_KEYS.required(
            "key", new FileType(), "PEM file with the private key, without a passphrase", ClusterTls::key);
    private static final Key<Path> CA = TLS_KEYS.required(
            "ca",
            new FileType(),
            "PEM file with the CA certificates; only nodes with a certificate of one of these CAs are accepted",
            ClusterTls::ca);

    private static final ShapeBuilder<ClusterConfig> KEYS = Shape.named(
            "cluster",
            "Connects this node to other nodes, which share the actions of operators. Each node serves alone if it is"
                    + " cut off.");
    private static final Key<String> NAME = KEYS.required(
            "name", NODE, "name of the cluster; nodes of another cluster are refused", ClusterConfig::name);
    private static final Key<HostPort> BIND = KEYS.required(
            "bind",
            Addresses.bind("cluster"),
            "address on which this node accepts connections of other nodes; they must be able to reach it",
            ClusterConfig::bind);
    private static final Key<ClusterPeers> PEERS = KEYS.optional(
            "peers",
            PeerKeys.PEERS,
            ClusterPeers.NONE,
            "addresses of other nodes, at most 64, or a source of addresses: a name in DNS, or a service of Kubernetes;"
                    + " names are looked up again. Nodes also tell each other the addresses that they know. The"
                    + " address of this node may be among them",
            ClusterConfig::peers);
    private static final Key<List<String>> VOTERS = KEYS.required(
            "voters",
            ListType.atLeastOne(NODE).unique("voter", name -> name),
            "names of 1, 3 or 5 nodes that decide on changes: a change needs a majority of them. All nodes must have the"
                    + " same list; nodes that are not in it follow",
            ClusterConfig::voters);
    private static final Key<ClusterTls> TLS = KEYS.required(
            "tls",
            TLS_KEYS.build(values -> new ClusterTls(values.get(CERTIFICATE), values.get(KEY), values.get(CA))),
            "certificate of this node; connections use TLS 1.3 and need a certificate on both sides",
            ClusterConfig::tls);

    private static final String NO_KEY =
            "; without a key, each node has its own secrets for DNS cookies, TLS tickets, and cookies of sticky sessions"
                    + " and oidc";
    private static final Key<ClusterSecretKey> SECRET_KEY = KEYS.optional(
            "secret_key",
            SecretType.of(
                    "key",
                    "64 hexadecimal digits, as openssl rand -hex 32 prints them",
                    "[0-9A-Fa-f]{64}",
                    ClusterSecretKey::new,
                    ClusterSecretKey::hex),
            "key that encrypts the secrets which nodes share, the same on all nodes" + NO_KEY,
            config -> config.secretKeyFile().isPresent() ? Optional.empty() : config.secretKey());
    private static final Key<Path> SECRET_KEY_FILE = KEYS.optional(
            "secret_key_file",
            new FileType(),
            "file with the key, in place of secret_key",
            ClusterConfig::secretKeyFile);

    private static final Key<ConfigurationMode> CONFIGURATION = KEYS.optional(
            CONFIGURATION_KEY,
            EnumWords.of(ConfigurationMode.class),
            ConfigurationMode.SHARED,
            "shared: after lb cluster apply, this node uses the configuration of the cluster, except for cluster and"
                    + " data_dir, and its own file until then; local: it always uses its own file",
            ClusterConfig::configuration);

    static {
        KEYS.atMostOne(SECRET_KEY, SECRET_KEY_FILE);
    }

    public static final Type<ClusterConfig> CLUSTER = KEYS.build(ClusterKeys::build);

    private ClusterKeys() {}

    private static ClusterConfig build(Values values) {
        return new ClusterConfig(
                values.get(NAME),
                values.get(BIND),
                values.get(PEERS),
                values.get(VOTERS),
                values.get(TLS),
                values.has(SECRET_KEY_FILE) ? SecretKeyFile.read(values, SECRET_KEY_FILE) : values.find(SECRET_KEY),
                values.find(SECRET_KEY_FILE),
                values.get(CONFIGURATION));
    }
}
