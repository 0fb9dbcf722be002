package io.ballast.config.load;

import io.ballast.cluster.mesh.CertifiedNames;
import io.ballast.config.BallastConfig;
import io.ballast.config.keys.cluster.ClusterKeys;
import io.ballast.config.longform.LongForm;
import io.ballast.config.yaml.Node;
import io.ballast.net.tls.CertificateFile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys that a node always takes from its own file: {@code cluster} and {@code data_dir}. They are read before the
 * configuration is checked, so invalid values count as absent here.
 *
 * @param root the root of the node's own file
 */
record LocalKeys(Node.Mapping root) {

    private static final List<String> KEYS = List.of(LongForm.CLUSTER_KEY, LongForm.DATA_DIR_KEY);
    private static final String LOCAL = "local";

    /** Returns the root of a version in which these keys have their values from the node's own file. */
    Node.Mapping over(Node.Mapping version) {
        Map<String, Node.Entry> entries = new LinkedHashMap<>(version.entries());
        for (String key : KEYS) {
            entries.remove(key);
            root.entry(key).ifPresent(own -> entries.put(key, own));
        }
        return new Node.Mapping(version.place(), version.path(), version.name(), entries);
    }

    /** Whether a problem at this path concerns one of these keys or the file as a whole. */
    static boolean isAbout(String path) {
        return path.isEmpty() || KEYS.stream().anyMatch(key -> path.equals(key) || path.startsWith(key + "."));
    }

    /** Returns the configured directory for state, or the default directory. */
    Path dataDir() {
        try {
            return scalar(root, LongForm.DATA_DIR_KEY).map(Path::of).orElse(BallastConfig.DEFAULT_DATA_DIR);
        } catch (InvalidPathException e) {
            return BallastConfig.DEFAULT_DATA_DIR;
        }
    }

    /** Whether the node uses the configuration of its cluster. */
    boolean isShared() {
        return mapping(root, LongForm.CLUSTER_KEY)
                .filter(cluster -> !scalar(cluster, ClusterKeys.CONFIGURATION_KEY)
                        .filter(LOCAL::equals)
                        .isPresent())
                .isPresent();
    }

    /** Returns the name of the node from its certificate; empty if there is no certificate, or it cannot be read. */
    Optional<String> node() {
        Optional<Node.Mapping> tls = mapping(root, LongForm.CLUSTER_KEY).flatMap(cluster -> mapping(cluster, "tls"));
        Optional<Node.Entry> certificate = tls.flatMap(present -> present.entry("certificate"));
        if (certificate.isEmpty() || !(certificate.get().value() instanceof Node.Scalar file)) {
            return Optional.empty();
        }
        try {
            List<X509Certificate> chain =
                    CertificateFile.read(Path.of(file.place().file()).resolveSibling(file.text()));
            return CertifiedNames.first(chain.get(0));
        } catch (IOException | InvalidPathException | IndexOutOfBoundsException e) {
            return Optional.empty(); // the later check of the certificate file reports this error
        }
    }

    /** Returns the configured names of the cluster's voters. */
    List<String> voters() {
        return mapping(root, LongForm.CLUSTER_KEY)
                .flatMap(cluster -> cluster.entry("voters"))
                .map(Node.Entry::value)
                .filter(Node.Sequence.class::isInstance)
                .map(value -> ((Node.Sequence) value)
                        .items().stream()
                                .filter(Node.Scalar.class::isInstance)
                                .map(item -> ((Node.Scalar) item).text())
                                .toList())
                .orElse(List.of());
    }

    private static Optional<Node.Mapping> mapping(Node.Mapping node, String key) {
        return node.entry(key)
                .map(Node.Entry::value)
                .filter(Node.Mapping.class::isInstance)
                .map(Node.Mapping.class::cast);
    }

    private static Optional<String> scalar(Node.Mapping node, String key) {
        return node.entry(key)
                .map(Node.Entry::value)
                .filter(Node.Scalar.class::isInstance)
                .map(value -> ((Node.Scalar) value).text())
                .filter(text -> !text.isEmpty());
    }
}
