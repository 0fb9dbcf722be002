package io.ballast.net.testing;

import io.ballast.core.config.TlsFiles;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;

/** A certificate for this machine that nobody but a test trusts, made when it is needed. */
public final class TestCertificate {

    private final X509Bundle bundle;

    private TestCertificate(X509Bundle bundle) {
        this.bundle = bundle;
    }

    /** One with a key of an elliptic curve. */
    public static TestCertificate create() {
        return create(Algorithm.ecp256);
    }

    public static TestCertificate create(Algorithm algorithm) {
        try {
            return new TestCertificate(new CertificateBuilder()
                    .subject("CN=localhost")
                    .addSanDnsName("localhost")
                    .addSanIpAddress("127.0.0.1")
                    .setIsCertificateAuthority(true)
                    .algorithm(algorithm)
                    .buildSelfSigned());
        } catch (Exception e) {
            throw new IllegalStateException("no certificate", e);
        }
    }

    public X509Certificate certificate() {
        return bundle.getCertificate();
    }

    public PrivateKey key() {
        return bundle.getKeyPair().getPrivate();
    }

    public String certificatePem() {
        return bundle.getCertificatePEM();
    }

    /** The key as PKCS#8. */
    public String keyPem() {
        return bundle.getPrivateKeyPEM();
    }

    /** Writes both files, over those that may be there. */
    public TlsFiles write(Path directory) throws IOException {
        return new TlsFiles(
                Files.writeString(directory.resolve("server.crt"), certificatePem()),
                Files.writeString(directory.resolve("server.key"), keyPem()));
    }

    /** What a client needs that trusts this certificate and no other. */
    public SSLContext client() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, bundle.toTrustManagerFactory().getTrustManagers(), null);
            return context;
        } catch (Exception e) {
            throw new IllegalStateException("no TLS", e);
        }
    }
}
