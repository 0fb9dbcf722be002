package io.ballast.acme.testing;

import io.ballast.net.tls.TlsIdentity;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
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
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Creates certificates with chosen dates. */
public final class TestCertificates {

    private static long serial = 1;

    private TestCertificates() {}

    /** Returns a self-signed certificate whose issuer has the name of a CA. */
    public static TlsIdentity create(String name, Instant from, Duration lifetime) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            KeyPair key = generator.generateKeyPair();
            X500Name issuer = new X500Name("CN=Test CA");
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    issuer,
                    BigInteger.valueOf(serial++),
                    Date.from(from),
                    Date.from(from.plus(lifetime)),
                    issuer,
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
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
