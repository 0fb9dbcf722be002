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

/** A certificate for this machine that nobody but a test trusts, made when it is needed. */
public final class TestCertificate {

    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final X500Principal SUBJECT = new X500Principal("CN=localhost");

    static {
        TlsContext.preferredProvider(); // sets what Java's TLS reads once, at its first handshake
    }

    private final X509Bundle bundle;

    private TestCertificate(X509Bundle bundle) {
        this.bundle = bundle;
    }

    /** Kinds of keys whose signatures BoringSSL, as Netty makes it available, does not verify. */
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

    /** One with such a key. */
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

    /** One with such a key for this machine that {@code issuer} has signed, whose key is of P-256. */
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

    /** Netty's builder knows no curve P-521. */
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

    /** One with a key of an elliptic curve. */
    public static TestCertificate create() {
        return create(Algorithm.ecp256);
    }

    public static TestCertificate create(Algorithm algorithm) {
        return build(builder(algorithm, "localhost"));
    }

    /** One that is made out for these hosts. */
    public static TestCertificate forHosts(String... hosts) {
        return build(builder(Algorithm.ecp256, hosts));
    }

    /** One that is made out for this host and for no address. */
    public static TestCertificate forOnly(String host) {
        return build(new CertificateBuilder()
                .subject("CN=" + host)
                .addSanDnsName(host)
                .setIsCertificateAuthority(true)
                .algorithm(Algorithm.ecp256));
    }

    /** One that has expired. */
    public static TestCertificate expired() {
        return expired("localhost");
    }

    /** One for these hosts that has expired. */
    public static TestCertificate expired(String... hosts) {
        return build(builder(Algorithm.ecp256, hosts)
                .notBefore(Instant.EPOCH)
                .notAfter(Instant.EPOCH.plus(Duration.ofDays(1))));
    }

    /** One for a host that expires after that time. */
    public static TestCertificate lasting(Duration life, String host) {
        Instant now = Instant.now();
        return build(builder(Algorithm.ecp256, host)
                .notBefore(now.minus(Duration.ofHours(1)))
                .notAfter(now.plus(life)));
    }

    /** Netty's builder takes no wildcards for names. */
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

    /** Writes both files, over those that may be there. */
    public TlsFiles write(Path directory) throws IOException {
        return write(directory, "server");
    }

    /** Writes {@code name.crt} and {@code name.key}, over those that may be there. */
    public TlsFiles write(Path directory, String name) throws IOException {
        return new TlsFiles(
                Files.writeString(directory.resolve(name + ".crt"), certificatePem()),
                Files.writeString(directory.resolve(name + ".key"), keyPem()));
    }

    /** What a client needs that trusts this certificate and no other. */
    public SSLContext client() {
        return context(null);
    }

    /** The same for a client that can prove to be {@code identity}. */
    public SSLContext client(TestCertificate identity) {
        return context(identity);
    }

    /** The same for a client that speaks no other version, such as {@code TLSv1.2}. */
    public SSLContext clientOf(String version) {
        return context(version, null);
    }

    /** The same for a client that speaks no later version and can prove to be {@code identity}. */
    public SSLContext clientOf(String version, TestCertificate identity) {
        return context(version, identity);
    }

    /** What a server needs that proves to be this. */
    public SSLContext server() {
        return context(this);
    }

    /** The same for a server that trusts clients which are {@code client}. */
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
