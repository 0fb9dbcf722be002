package io.ballast.acme.schedule;

import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.state.FailureState;
import io.ballast.net.tls.TlsIdentity;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The certificate of one name, and the times of its next order and its next check. Confined to one thread. */
final class ManagedCertificate {

    /** The shortest time between two suggested renewals, because a suggestion may be wrong. */
    private static final Duration MIN_RENEWAL_INTERVAL = Duration.ofHours(6);

    private final String name;
    private @Nullable X509Certificate certificate;
    private FailureState failures;
    /** When the certificate is renewed; not used before the first certificate. */
    private Instant renewAt = Instant.EPOCH;

    private Instant checkAt = Instant.EPOCH;
    /** Whether the certificate was revoked. A new one is ordered as soon as the failures permit it. */
    private boolean isRevoked;

    private @Nullable RenewalWindow window;
    private @Nullable Instant lastSuccess;
    private long failureCount;
    private @Nullable String error;

    ManagedCertificate(String name, Optional<TlsIdentity> stored, FailureState failures, double random) {
        this.name = name;
        this.failures = failures;
        stored.ifPresent(identity -> use(identity.certificate(), random));
    }

    /** The certificate was revoked. It is used until the next one is issued, because the name has no other. */
    void revoked() {
        isRevoked = true;
    }

    String name() {
        return name;
    }

    Optional<X509Certificate> certificate() {
        return Optional.ofNullable(certificate);
    }

    FailureState failures() {
        return failures;
    }

    /** The time of the next order. */
    Instant orderAt() {
        return !isRevoked && renewAt.isAfter(failures.retryAt()) ? renewAt : failures.retryAt();
    }

    /** The time to ask the certificate authority for its suggestion; never if no valid certificate is stored. */
    Instant checkAt() {
        return certificate == null || isRevoked ? Instant.MAX : checkAt;
    }

    void checkAgainAt(Instant time) {
        checkAt = time;
    }

    /** Counts an order that has begun as failed until it succeeds, so that a crash does not repeat it at once. */
    void begin(FailureState next) {
        failures = next;
    }

    /** Restores the state before an order that was interrupted. */
    void restore(FailureState before) {
        failures = before;
    }

    void succeeded(X509Certificate issued, Instant now, double random) {
        failures = FailureState.NONE;
        lastSuccess = now;
        error = null;
        use(issued, random);
    }

    void failed(String reason, FailureState next) {
        failures = next;
        failureCount++;
        error = reason;
    }

    private void use(X509Certificate next, double random) {
        certificate = next;
        isRevoked = false;
        renewAt = RenewalTime.of(next, random);
        window = null;
        checkAt = Instant.EPOCH;
    }

    /** Follows the suggestion of the certificate authority. An unchanged window keeps the chosen time. */
    void suggest(RenewalWindow next, double random) {
        RenewalWindow before = window;
        boolean isSame = before != null
                && before.start().equals(next.start())
                && before.end().equals(next.end());
        if (!isSame && certificate != null) {
            window = next;
            Instant chosen = RenewalTime.within(next, certificate, random);
            Instant earliest = earliestRenewal(certificate, random);
            renewAt = chosen.isAfter(earliest) ? chosen : earliest;
        }
    }

    /** Limits the rate of renewals, unless the lifetime of the certificate requires a higher one. */
    private Instant earliestRenewal(X509Certificate present, double random) {
        if (lastSuccess == null) {
            return Instant.EPOCH;
        }
        Instant limit = lastSuccess.plus(MIN_RENEWAL_INTERVAL);
        Instant usual = RenewalTime.of(present, random);
        return usual.isBefore(limit) ? usual : limit;
    }

    CertificateState state() {
        return new CertificateState(
                name,
                certificate().map(present -> present.getNotAfter().toInstant()),
                orderAt(),
                Optional.ofNullable(lastSuccess),
                failureCount,
                Optional.ofNullable(error));
    }
}
