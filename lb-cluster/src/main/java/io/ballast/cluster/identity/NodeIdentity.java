package io.ballast.cluster.identity;

import io.ballast.cluster.config.ClusterTls;
import io.ballast.cluster.mesh.CertifiedNames;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.tls.CertificateFile;
import io.ballast.net.tls.MutualTls;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * The name and certificate of a node, and the authorities that it trusts. Immutable.
 *
 * @param name the name of the node: the common name of its certificate, or the first DNS name
 * @param expires when the certificate expires
 * @param tls TLS with the certificate of the node, which accepts the certificates of the configured authorities
 */
public record NodeIdentity(String name, Instant expires, MutualTls tls) {

    /**
     * Reads the files.
     *
     * @throws IOException if a file cannot be read or used, or the certificate has no name; the message names the file
     */
    public static NodeIdentity load(ClusterTls files) throws IOException {
        TlsIdentity own = TlsIdentity.load(new TlsFiles(files.certificate(), files.key(), Optional.empty()));
        String name = CertifiedNames.first(own.certificate())
                .orElseThrow(() -> new IOException(
                        files.certificate() + ": the certificate has no name (expected: a common name or a DNS name)"));
        Instant expires = own.certificate().getNotAfter().toInstant();
        return new NodeIdentity(name, expires, MutualTls.of(own, CertificateFile.read(files.ca())));
    }
}
