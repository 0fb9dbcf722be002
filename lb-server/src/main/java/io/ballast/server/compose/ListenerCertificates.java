package io.ballast.server.compose;

import io.ballast.dashboard.source.CertificateStats;
import io.ballast.net.tls.SubjectAltNames;
import io.ballast.net.tls.TlsContext;
import io.ballast.net.tls.TlsIdentity;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The certificates of one listener for the dashboard. A certificate is parsed once, not for each request of the
 * dashboard.
 *
 * <p>Thread safety: any thread may read; concurrent readers may both parse a new certificate.
 */
final class ListenerCertificates {

    private final List<Entry> entries;

    ListenerCertificates(List<TlsContext> identities) {
        this.entries = identities.stream().map(Entry::new).toList();
    }

    List<CertificateStats> read() {
        return entries.stream().map(Entry::read).toList();
    }

    private static final class Entry {

        private final TlsContext context;
        private volatile Parsed parsed;

        Entry(TlsContext context) {
            this.context = context;
            this.parsed = Parsed.of(context, context.identity());
        }

        @SuppressWarnings("ReferenceEquality") // an equal identity can come from a newer file
        CertificateStats read() {
            Parsed known = parsed;
            TlsIdentity current = context.identity();
            if (known.identity != current) {
                known = Parsed.of(context, current);
                parsed = known;
            }
            return known.stats;
        }
    }

    private record Parsed(TlsIdentity identity, CertificateStats stats) {

        static Parsed of(TlsContext context, TlsIdentity identity) {
            X509Certificate certificate = identity.certificate();
            return new Parsed(
                    identity,
                    new CertificateStats(
                            context.source().certificate().toString(),
                            SubjectAltNames.all(certificate),
                            certificate.getIssuerX500Principal().getName(),
                            certificate.getNotAfter().toInstant()));
        }
    }
}
