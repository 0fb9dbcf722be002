package io.ballast.cluster.testing;

import io.ballast.net.tls.MutualTls;
import io.ballast.net.tls.TlsIdentity;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.util.List;

/** A certificate authority of a test cluster. */
public final class TestAuthority {

    private final X509Bundle authority;

    public TestAuthority() throws Exception {
        authority = new CertificateBuilder()
                .subject("CN=test authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    /** TLS with a certificate of this authority for a node; trusts this authority only. */
    public MutualTls tls(String node) throws Exception {
        X509Bundle bundle = new CertificateBuilder().subject("CN=" + node).buildIssuedBy(authority);
        return MutualTls.of(
                new TlsIdentity(bundle.getKeyPair().getPrivate(), List.of(bundle.getCertificate())),
                List.of(authority.getCertificate()));
    }
}
