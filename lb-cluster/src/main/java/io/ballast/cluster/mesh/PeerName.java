package io.ballast.cluster.mesh;

import io.ballast.net.tls.SubjectAltNames;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.X509Certificate;
import java.util.Locale;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;

/** The names in the certificate of the other side of a connection. */
final class PeerName {

    private PeerName() {}

    /** Returns true if the certificate has the name as common name or as DNS name (RFC 5280, section 4.2.1.6). */
    static boolean isCertified(ChannelPipeline pipeline, String node) {
        try {
            X509Certificate certificate = (X509Certificate)
                    pipeline.get(SslHandler.class).engine().getSession().getPeerCertificates()[0];
            return node.equals(commonName(certificate))
                    || SubjectAltNames.hosts(certificate).contains(node.toLowerCase(Locale.ROOT));
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    private static String commonName(X509Certificate certificate) {
        try {
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if ("CN".equalsIgnoreCase(part.getType())) {
                    return part.getValue().toString();
                }
            }
        } catch (InvalidNameException e) {
            return "";
        }
        return "";
    }
}
