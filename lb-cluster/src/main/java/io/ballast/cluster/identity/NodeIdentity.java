package io.ballast.cluster.identity;

import io.ballast.cluster.config.ClusterTls;
import io.ballast.cluster.mesh.CertifiedNames;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.tls.CertificateFile;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * What a node presents to other nodes, and what it accepts from them. Immutable.
 *
 * @param name the name of the node: the common name of its certificate, or the first DNS name
 * @param tls TLS with the certificate of the node, which accepts the certificates of the configured authorities
 */
public record NodeIdentity(String name, SSLContext tls) {

    private static final char[] NO_PASSWORD = {};

    /**
     * Reads the files.
     *
     * @throws IOException if a file cannot be read or used, or the certificate has no name; the message names the file
     */
    public static NodeIdentity load(ClusterTls files) throws IOException {
        TlsIdentity own = TlsIdentity.load(new TlsFiles(files.certificate(), files.key(), Optional.empty()));
        List<X509Certificate> authorities = CertificateFile.read(files.ca());
        String name = CertifiedNames.first(own.certificate())
                .orElseThrow(() -> new IOException(
                        files.certificate() + ": the certificate has no name (expected: a common name or a DNS name)"));
        try {
            return new NodeIdentity(name, context(own, authorities));
        } catch (GeneralSecurityException e) {
            throw new IOException(files.certificate() + ": " + e.getMessage(), e);
        }
    }

    private static SSLContext context(TlsIdentity own, List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        KeyStore keys = emptyStore();
        keys.setKeyEntry("node", own.key(), NO_PASSWORD, own.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, NO_PASSWORD);
        KeyStore trusted = emptyStore();
        for (int i = 0; i < authorities.size(); i++) {
            trusted.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), /* random= */ null);
        return context;
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(/* stream= */ null, /* password= */ null);
        return store;
    }
}
