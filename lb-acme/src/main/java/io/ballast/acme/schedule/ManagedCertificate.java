package io.ballast.acme.schedule;

import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.state.IssuedCertificate;
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
    private final boolean isOnDemand;
    private @Nullable IssuedCertificate issued;
    private IssuerFailures failures;
    /** The time of the renewal; not used before the first certificate. */
    private Instant renewAt = Instant.EPOCH;

    private Instant checkAt = Instant.EPOCH;
    /** Whether a new certificate is ordered as soon as the failures permit it. */
    private boolean isReplaced;

    private @Nullable RenewalWindow window;
    private @Nullable Instant lastSuccess;
    private long failureCount;
    private @Nullable String error;

    ManagedCertificate(String name, boolean isOnDemand, IssuerFailures failures) {
        this.name = name;
        this.isOnDemand = isOnDemand;
        this.failures = failures;
    }

    /** Uses a stored certificate. It is replaced at once if it was revoked. */
    void found(IssuedCertificate stored, double random) {
        use(stored, random);
        isReplaced = stored.isRevoked();
    }

    /** Uses a stored certificate that another process has ordered or revoked. */
    void received(IssuedCertificate stored, double random) {
        found(stored, random);
        error = null;
    }

    /**
     * Orders a new certificate as soon as possible, because the present one was revoked, or its issuer is no longer
     * configured. The present one is used until then, because the name has no other certificate.
     */
    void replace() {
        isReplaced = true;
    }

    String name() {
        return name;
    }

    /** The present certificate; empty before the first certificate is stored. */
    Optional<IssuedCertificate> issued() {
        return Optional.ofNullable(issued);
    }

    IssuerFailures failures() {
        return failures;
    }

    /** The time of the next order. */
    Instant orderAt() {
        Instant retryAt = failures.retryAt();
        return !isReplaced && renewAt.isAfter(retryAt) ? renewAt : retryAt;
    }

    /** The time to ask the certificate authority for its suggestion; never if no valid certificate is stored. */
    Instant checkAt() {
        return issued == null || isReplaced ? Instant.MAX : checkAt;
    }

    void checkAgainAt(Instant time) {
        checkAt = time;
    }

    /** @param next the failures after the order */
    void completed(OrderResult result, IssuerFailures next, Instant now, double random) {
        failures = next;
        if (result instanceof OrderResult.Failed failed) {
            failureCount++;
            error = failed.failure().issuer() + ": " + failed.failure().reason();
        } else if (result instanceof OrderResult.Issued success) {
            lastSuccess = now;
            error = null;
            use(new IssuedCertificate(success.issuer(), success.certificate(), /* isRevoked= */ false), random);
        }
    }

    private void use(IssuedCertificate next, double random) {
        issued = next;
        isReplaced = false;
        renewAt = RenewalTime.of(next.certificate(), random);
        window = null;
        checkAt = Instant.EPOCH;
    }

    /** Follows the suggestion of the certificate authority. An unchanged window keeps the chosen time. */
    void suggest(RenewalWindow next, double random) {
        RenewalWindow before = window;
        boolean isSame = before != null
                && before.start().equals(next.start())
                && before.end().equals(next.end());
        IssuedCertificate present = issued;
        if (!isSame && present != null) {
            window = next;
            Instant chosen = RenewalTime.within(next, present.certificate(), random);
            Instant earliest = earliestRenewal(present.certificate(), random);
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
                issued().map(IssuedCertificate::issuer),
                isOnDemand,
                issued().map(present -> present.certificate().getNotAfter().toInstant()),
                orderAt(),
                Optional.ofNullable(lastSuccess),
                failureCount,
                Optional.ofNullable(error));
    }
}
