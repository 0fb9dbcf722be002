package io.ballast.net.testing;

import io.ballast.core.config.TlsFiles;
import io.ballast.net.tls.TlsContext;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.net.ssl.SSLContext;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** A certificate for this machine, created on demand and trusted only by tests. */
public final class TestCertificate {

    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final X500Principal SUBJECT = new X500Principal("CN=localhost");

    static {
        TlsContext.preferredProvider(); // sets properties that Java's TLS reads once, at its first handshake
    }

    private final X509Bundle bundle;

    private TestCertificate(X509Bundle bundle) {
        this.bundle = bundle;
    }

    /** Key types whose signatures BoringSSL, as Netty exposes it, does not verify. */
    public enum RareKey {
        P521,
        ED25519;

        private KeyPair generate() throws GeneralSecurityException {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(this == P521 ? "EC" : "Ed25519");
            if (this == P521) {
                generator.initialize(new ECGenParameterSpec("secp521r1"));
            }
            return generator.generateKeyPair();
        }
    }

    /** A self-signed certificate with a key of this type. */
    public static TestCertificate create(RareKey kind) {
        try {
            KeyPair keys = kind.generate();
            X509Certificate own = signed(
                    keys.getPublic(), SUBJECT, keys.getPrivate(), kind == RareKey.P521 ? "SHA512withECDSA" : "Ed25519");
            return new TestCertificate(X509Bundle.fromRootCertificateAuthority(own, keys));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("no certificate", e);
        }
    }

    /**
     * A certificate with a key of this type for this machine, signed by {@code issuer}, whose key is on P-256.
     */
    public static TestCertificate create(RareKey kind, TestCertificate issuer) {
        try {
            KeyPair keys = kind.generate();
            X500Principal name = issuer.certificate().getSubjectX500Principal();
            X509Certificate own = signed(keys.getPublic(), name, issuer.key(), "SHA256withECDSA");
            return new TestCertificate(
                    X509Bundle.fromCertificatePath(new X509Certificate[] {own}, issuer.certificate(), keys));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("no certificate", e);
        }
    }

    /** Creates a signed certificate without Netty's builder, which does not support the curve P-521. */
    private static X509Certificate signed(PublicKey key, X500Principal issuer, PrivateKey issuerKey, String algorithm)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                issuer,
                BigInteger.valueOf(now.toEpochMilli()),
                Date.from(now.minus(Duration.ofDays(1))),
                Date.from(now.plus(Duration.ofDays(1))),
                SUBJECT,
                key);
        GeneralNames names = new GeneralNames(new GeneralName[] {
            new GeneralName(GeneralName.dNSName, "localhost"), new GeneralName(GeneralName.iPAddress, "127.0.0.1")
        });
        builder.addExtension(Extension.subjectAlternativeName, /* isCritical= */ false, names);
        builder.addExtension(Extension.basicConstraints, /* isCritical= */ true, new BasicConstraints(/* cA= */ true));
        byte[] encoded = builder.build(new JcaContentSignerBuilder(algorithm).build(issuerKey))
                .getEncoded();
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    /** A certificate with an elliptic-curve key. */
    public static TestCertificate create() {
        return create(Algorithm.ecp256);
    }

    public static TestCertificate create(Algorithm algorithm) {
        return build(builder(algorithm, "localhost"));
    }

    /** A certificate for these hosts. */
    public static TestCertificate forHosts(String... hosts) {
        return build(builder(Algorithm.ecp256, hosts));
    }

    /** A certificate for this host and no address. */
    public static TestCertificate forOnly(String host) {
        return build(new CertificateBuilder()
                .subject("CN=" + host)
                .addSanDnsName(host)
                .setIsCertificateAuthority(true)
                .algorithm(Algorithm.ecp256));
    }

    /** A certificate for a client with a subject, a URI, a mail address and a DNS name. */
    public static TestCertificate forClient(String subject, String uri, String mail, String host) {
        GeneralName[] names = {
            new GeneralName(GeneralName.uniformResourceIdentifier, uri),
            new GeneralName(GeneralName.rfc822Name, mail),
            new GeneralName(GeneralName.dNSName, host)
        };
        try {
            return build(new CertificateBuilder()
                    .subject(subject)
                    .addExtensionOctetString(
                            SUBJECT_ALTERNATIVE_NAME, /* critical= */ false, new GeneralNames(names).getEncoded())
                    .setIsCertificateAuthority(true)
                    .algorithm(Algorithm.ecp256));
        } catch (IOException e) {
            throw new IllegalStateException("no names", e);
        }
    }

    /** An expired certificate. */
    public static TestCertificate expired() {
        return expired("localhost");
    }

    /** An expired certificate for these hosts. */
    public static TestCertificate expired(String... hosts) {
        return build(builder(Algorithm.ecp256, hosts)
                .notBefore(Instant.EPOCH)
                .notAfter(Instant.EPOCH.plus(Duration.ofDays(1))));
    }

    /** A certificate for a host; the certificate expires after {@code life}. */
    public static TestCertificate lasting(Duration life, String host) {
        Instant now = Instant.now();
        return build(builder(Algorithm.ecp256, host)
                .notBefore(now.minus(Duration.ofHours(1)))
                .notAfter(now.plus(life)));
    }

    /** Adds the names as an extension, because Netty's builder does not accept wildcards. */
    private static CertificateBuilder builder(Algorithm algorithm, String... hosts) {
        GeneralName[] names = new GeneralName[hosts.length + 1];
        for (int i = 0; i < hosts.length; i++) {
            names[i] = new GeneralName(GeneralName.dNSName, hosts[i]);
        }
        names[hosts.length] = new GeneralName(GeneralName.iPAddress, "127.0.0.1");
        try {
            return new CertificateBuilder()
                    .subject("CN=" + hosts[0])
                    .addExtensionOctetString(
                            SUBJECT_ALTERNATIVE_NAME, /* critical= */ false, new GeneralNames(names).getEncoded())
                    .setIsCertificateAuthority(true)
                    .algorithm(algorithm);
        } catch (IOException e) {
            throw new IllegalStateException("no names", e);
        }
    }

    private static TestCertificate build(CertificateBuilder builder) {
        try {
            return new TestCertificate(builder.buildSelfSigned());
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

    /** Writes both files and overwrites existing ones. */
    public TlsFiles write(Path directory) throws IOException {
        return write(directory, "server");
    }

    /** Writes {@code name.crt} and {@code name.key} and overwrites existing ones. */
    public TlsFiles write(Path directory, String name) throws IOException {
        return new TlsFiles(
                Files.writeString(directory.resolve(name + ".crt"), certificatePem()),
                Files.writeString(directory.resolve(name + ".key"), keyPem()));
    }

    /** A context for a client that trusts only this certificate. */
    public SSLContext client() {
        return context(null);
    }

    /** As {@link #client()}, with {@code identity} as the client certificate. */
    public SSLContext client(TestCertificate identity) {
        return context(identity);
    }

    /** As {@link #client()}, limited to one version, such as {@code TLSv1.2}. */
    public SSLContext clientOf(String version) {
        return context(version, null);
    }

    /**
     * As {@link #client()}, limited to versions up to {@code version}, with {@code identity} as the client certificate.
     */
    public SSLContext clientOf(String version, TestCertificate identity) {
        return context(version, identity);
    }

    /** A context for a server with this certificate. */
    public SSLContext server() {
        return context(this);
    }

    /** As {@link #server()}, for a server that trusts the client certificate {@code client}. */
    public SSLContext server(TestCertificate client) {
        return client.context(this);
    }

    private SSLContext context(@Nullable TestCertificate identity) {
        return context("TLS", identity);
    }

    private SSLContext context(String protocol, @Nullable TestCertificate identity) {
        try {
            SSLContext context = SSLContext.getInstance(protocol);
            context.init(
                    identity == null
                            ? null
                            : identity.bundle.toKeyManagerFactory().getKeyManagers(),
                    bundle.toTrustManagerFactory().getTrustManagers(),
                    null);
            return context;
        } catch (Exception e) {
            throw new IllegalStateException("no TLS", e);
        }
    }
}
