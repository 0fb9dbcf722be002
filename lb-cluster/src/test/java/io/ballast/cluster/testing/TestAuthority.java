package io.ballast.cluster.testing;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate authority of a test cluster. */
public final class TestAuthority {

    private final X509Bundle authority;

    public TestAuthority() throws Exception {
        authority = new CertificateBuilder()
                .subject("CN=test authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    /** A context with a certificate of this authority for a node; trusts this authority only. */
    public SSLContext context(String node) throws Exception {
        X509Bundle bundle = new CertificateBuilder().subject("CN=" + node).buildIssuedBy(authority);
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", authority.getCertificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(bundle.toKeyManagerFactory().getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
