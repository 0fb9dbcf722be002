package io.ballast.acme.schedule;

import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.state.IssuedCertificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The certificates on demand that clients have used since the start of the process, with the times of their renewals.
 * It holds at most {@value #MAX_CERTIFICATES}; the least recently used certificate is dropped first. A dropped
 * certificate is still served, and renewed after two thirds of its lifetime.
 *
 * <p>Thread safety: any thread.
 */
final class OnDemandCertificates {

    static final int MAX_CERTIFICATES = 1_000;

    private final Map<String, ManagedCertificate> entries =
            new LinkedHashMap<>(16, /* loadFactor= */ 0.75f, /* accessOrder= */ true) {

                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, ManagedCertificate> eldest) {
                    return size() > MAX_CERTIFICATES;
                }
            };

    /** Adds a stored certificate. */
    synchronized void found(String name, IssuedCertificate stored, IssuerFailures failures, double random) {
        ManagedCertificate present = entries.get(name);
        boolean isKnown = present != null
                && present.issued()
                        .filter(each -> each.certificate().equals(stored.certificate()))
                        .isPresent();
        if (!isKnown) {
            add(name, failures).found(stored, random);
        }
    }

    /** Records the result of an order. */
    synchronized void completed(String name, OrderResult result, IssuerFailures failures, Instant now, double random) {
        ManagedCertificate present = entries.get(name);
        ManagedCertificate entry = present == null ? add(name, failures) : present;
        entry.completed(result, failures.copy(), now, random);
    }

    private ManagedCertificate add(String name, IssuerFailures failures) {
        ManagedCertificate added = new ManagedCertificate(name, /* isOnDemand= */ true, failures.copy());
        entries.put(name, added);
        return added;
    }

    /** Records that a client uses the certificate; returns it if it is known. */
    synchronized Optional<IssuedCertificate> use(String name, X509Certificate certificate) {
        return entry(name, certificate).flatMap(ManagedCertificate::issued);
    }

    /** Whether it is time to renew the certificate; false if a later certificate is stored. */
    synchronized boolean isDue(String name, X509Certificate certificate, Instant now, double random) {
        @Nullable ManagedCertificate entry = entries.get(name);
        if (entry == null || entry.issued().isEmpty()) {
            return !RenewalTime.of(certificate, random).isAfter(now);
        }
        return entry(name, certificate)
                .filter(each -> !each.orderAt().isAfter(now))
                .isPresent();
    }

    /** Whether it is time to ask the issuer when to renew the certificate; false if the certificate is not known. */
    synchronized boolean isCheckDue(String name, X509Certificate certificate, Instant now) {
        return entry(name, certificate)
                .filter(each -> !each.checkAt().isAfter(now))
                .isPresent();
    }

    /** Sets the time at which to ask the issuer again when to renew. */
    synchronized void checkAgainAt(String name, X509Certificate certificate, Instant time) {
        entry(name, certificate).ifPresent(each -> each.checkAgainAt(time));
    }

    /** Follows the suggestion of the issuer. */
    synchronized void suggest(String name, X509Certificate certificate, RenewalWindow window, double random) {
        entry(name, certificate).ifPresent(each -> each.suggest(window, random));
    }

    private Optional<ManagedCertificate> entry(String name, X509Certificate certificate) {
        @Nullable ManagedCertificate entry = entries.get(name);
        return Optional.ofNullable(entry)
                .filter(each -> each.issued()
                        .filter(issued -> issued.certificate().equals(certificate))
                        .isPresent());
    }

    synchronized boolean contains(String name) {
        return entries.containsKey(name);
    }

    synchronized void remove(String name) {
        entries.remove(name);
    }

    /** The states of all certificates. */
    synchronized List<CertificateState> states() {
        return entries.values().stream().map(ManagedCertificate::state).toList();
    }
}
