package io.ballast.cluster.identity;

import io.ballast.net.tls.TlsIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority that is used only for one cluster. Keys are for ECDSA on P-256. Immutable. Cost: a key and a
 * signature, a few milliseconds.
 */
public final class ClusterAuthority {

    public static final Duration AUTHORITY_LIFETIME = Duration.ofDays(3650);

    /** The names of nodes: letters, digits, dots and hyphens. */
    public static final Pattern NODE_NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?");

    private static final Duration CLOCK_TOLERANCE = Duration.ofDays(1);
    private static final int SERIAL_BITS = 128;

    private final TlsIdentity identity;

    /** @param identity the certificate and the key of an authority */
    public ClusterAuthority(TlsIdentity identity) {
        this.identity = identity;
    }

    public TlsIdentity identity() {
        return identity;
    }

    /** @param cluster the name of the cluster, which the subject of the certificate contains */
    public static ClusterAuthority create(String cluster, Instant now) throws GeneralSecurityException {
        KeyPair key = newKey();
        X500Principal subject = new X500Principal("CN=" + cluster + " cluster authority");
        X509v3CertificateBuilder builder = builder(subject, subject, key, now, AUTHORITY_LIFETIME);
        try {
            builder.addExtension(Extension.basicConstraints, /* isCritical= */ true, new BasicConstraints(0));
            builder.addExtension(
                    Extension.keyUsage, /* isCritical= */ true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            X509Certificate certificate = sign(builder, key.getPrivate());
            return new ClusterAuthority(new TlsIdentity(key.getPrivate(), List.of(certificate)));
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    /**
     * Issues the certificate of a node, for both sides of a connection.
     *
     * @param node the name of the node, as in {@link #NODE_NAME}
     */
    public TlsIdentity issue(String node, Instant now, Duration lifetime) throws GeneralSecurityException {
        if (!NODE_NAME.matcher(node).matches()) {
            throw new IllegalArgumentException("node: " + node + " (expected: letters, digits, dots and hyphens)");
        }
        KeyPair key = newKey();
        X509v3CertificateBuilder builder = builder(
                identity.certificate().getSubjectX500Principal(), new X500Principal("CN=" + node), key, now, lifetime);
        try {
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    /* isCritical= */ false,
                    new GeneralNames(new GeneralName(GeneralName.dNSName, node)));
            builder.addExtension(Extension.keyUsage, /* isCritical= */ true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage,
                    /* isCritical= */ false,
                    new ExtendedKeyUsage(
                            new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}));
            return new TlsIdentity(key.getPrivate(), List.of(sign(builder, identity.key())));
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private static KeyPair newKey() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(/* keysize= */ 256);
        return generator.generateKeyPair();
    }

    private static X509v3CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, KeyPair key, Instant now, Duration lifetime) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS),
                Date.from(now.minus(CLOCK_TOLERANCE)),
                Date.from(now.plus(lifetime)),
                subject,
                key.getPublic());
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException, IOException {
        try {
            byte[] encoded = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key))
                    .getEncoded();
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e);
        }
    }
}
