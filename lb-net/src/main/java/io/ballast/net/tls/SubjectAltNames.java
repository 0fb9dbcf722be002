package io.ballast.net.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Reads the subject alternative names of a certificate. */
public final class SubjectAltNames {

    private static final int MAIL_ADDRESS = 1;
    private static final int DNS_NAME = 2;
    private static final int URI = 6;
    private static final int IP_ADDRESS = 7;

    private SubjectAltNames() {}

    /** The DNS names in a certificate, in lower case, including wildcards such as {@code *.example.com}. */
    public static List<String> hosts(X509Certificate certificate) {
        return lowerCase(named(certificate, DNS_NAME));
    }

    /** The URIs in a certificate, such as SPIFFE IDs, as written. */
    public static List<String> uris(X509Certificate certificate) {
        return named(certificate, URI);
    }

    /** The mail addresses in a certificate, as written. */
    public static List<String> mailAddresses(X509Certificate certificate) {
        return named(certificate, MAIL_ADDRESS);
    }

    /** The DNS names and IP addresses in a certificate. */
    public static List<String> all(X509Certificate certificate) {
        List<String> all = new ArrayList<>(hosts(certificate));
        all.addAll(lowerCase(named(certificate, IP_ADDRESS)));
        return all;
    }

    private static List<String> lowerCase(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    private static List<String> named(X509Certificate certificate, int kind) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> alternative : alternatives) {
                    if (alternative.get(0).equals(kind) && alternative.get(1) instanceof String name) {
                        names.add(name);
                    }
                }
            }
        } catch (CertificateParsingException e) {
            return names; // a certificate whose names cannot be parsed counts as having none
        }
        return names;
    }
}
