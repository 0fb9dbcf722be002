package io.ballast.cluster.mesh;

import io.ballast.net.tls.SubjectAltNames;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;

/** The names of nodes in certificates: the common name and the DNS names (RFC 5280, section 4.2.1.6). Stateless. */
public final class CertifiedNames {

    private CertifiedNames() {}

    /** The common name; if there is none, the first DNS name. */
    public static Optional<String> first(X509Certificate certificate) {
        return commonName(certificate)
                .or(() -> SubjectAltNames.hosts(certificate).stream().findFirst());
    }

    /** Whether the name is one of those in the certificate of the other side of a connection. */
    static boolean contain(ChannelPipeline pipeline, String node) {
        try {
            X509Certificate certificate = (X509Certificate)
                    pipeline.get(SslHandler.class).engine().getSession().getPeerCertificates()[0];
            return commonName(certificate).filter(node::equals).isPresent()
                    || SubjectAltNames.hosts(certificate).contains(node.toLowerCase(Locale.ROOT));
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    private static Optional<String> commonName(X509Certificate certificate) {
        try {
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if ("CN".equalsIgnoreCase(part.getType())) {
                    return Optional.of(part.getValue().toString());
                }
            }
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }
}
