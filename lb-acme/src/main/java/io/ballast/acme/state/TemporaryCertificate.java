package io.ballast.acme.state;

import io.ballast.core.ErrorText;
import io.ballast.net.tls.TlsIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Self-signed certificates, which listeners serve until the certificate authority has issued the first certificate.
 * Stateless. Cost: a key and a signature, a few milliseconds.
 */
final class TemporaryCertificate {

    private static final String SUBJECT = "CN=Ballast temporary certificate";
    private static final Duration LIFETIME = Duration.ofDays(90);
    private static final Duration CLOCK_TOLERANCE = Duration.ofDays(1);
    private static final int SERIAL_BITS = 128;

    private TemporaryCertificate() {}

    static boolean isTemporary(X509Certificate certificate) {
        return certificate.getIssuerX500Principal().getName().equals(SUBJECT);
    }

    static TlsIdentity of(String name, Instant now) throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(/* keysize= */ 256);
            KeyPair key = generator.generateKeyPair();
            X500Name subject = new X500Name(SUBJECT);
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    subject,
                    new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS),
                    Date.from(now.minus(CLOCK_TOLERANCE)),
                    Date.from(now.plus(LIFETIME)),
                    subject,
                    key.getPublic());
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    /* isCritical= */ false,
                    new GeneralNames(new GeneralName(GeneralName.dNSName, name)));
            byte[] encoded = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key.getPrivate()))
                    .getEncoded();
            X509Certificate certificate = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
            return new TlsIdentity(key.getPrivate(), List.of(certificate));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("cannot create a temporary certificate: " + ErrorText.reason(e), e);
        }
    }
}
