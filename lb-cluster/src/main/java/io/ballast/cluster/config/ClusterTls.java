package io.ballast.cluster.config;

import java.nio.file.Path;

/**
 * The PEM files of a node. Changed files are used for new connections.
 *
 * @param certificate the certificate of the node, followed by the certificates of its issuers
 * @param key the private key of the certificate
 * @param ca the certificates of the authorities whose nodes are accepted
 */
public record ClusterTls(Path certificate, Path key, Path ca) {}
