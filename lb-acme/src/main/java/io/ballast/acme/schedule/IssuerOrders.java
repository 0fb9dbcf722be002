package io.ballast.acme.schedule;

import io.ballast.acme.coordination.OrderCoordinator;
import io.ballast.acme.order.AcmeClient;
import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.order.RevocationCode;
import io.ballast.acme.state.FailureState;
import io.ballast.acme.state.IssuedCertificate;
import io.ballast.acme.state.IssuedCertificates;
import io.ballast.core.ErrorText;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders certificates at several issuers, stores them, and records failures.
 *
 * <p>Thread safety: {@link #failures} may be called by any thread; the other methods by one thread, which they block.
 */
public final class IssuerOrders {

    /** The time for which an unreachable issuer is skipped for all names, if another issuer can be tried. */
    static final Duration OUTAGE = Duration.ofMinutes(5);

    /** Maximum length of the reason of a failure, in characters. */
    static final int MAX_REASON = 500;

    private static final Logger LOG = LoggerFactory.getLogger(IssuerOrders.class);

    private final IssuedCertificates certificates;
    private final Map<String, AcmeClient> clients;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final RenewalListener listener;
    private final OrderCoordinator coordinator;
    private final Map<String, Instant> unreachableUntil = new HashMap<>();

    /**
     * @param clients the accounts by the name of the issuer, for all issuers of {@code certificates}
     * @param random spreads retries
     * @param coordinator is notified of stored certificates
     */
    public IssuerOrders(
            IssuedCertificates certificates,
            Map<String, AcmeClient> clients,
            InstantSource clock,
            RandomGenerator random,
            RenewalListener listener,
            OrderCoordinator coordinator) {
        this.certificates = certificates;
        this.clients = Map.copyOf(clients);
        this.clock = clock;
        this.random = random;
        this.listener = listener;
        this.coordinator = coordinator;
    }

    /** Returns the object that decides whether this process orders. */
    OrderCoordinator coordinator() {
        return coordinator;
    }

    IssuedCertificates certificates() {
        return certificates;
    }

    /** Reads the failures for a name. */
    IssuerFailures failures(String name, List<String> issuers) {
        return new IssuerFailures(issuers, issuer -> certificates.of(issuer).failures(name));
    }

    /** Returns the issuer to try now; empty if all must wait. */
    Optional<String> next(IssuerFailures failures) {
        return failures.next(clock.instant(), this::isUnreachable);
    }

    /** Whether an issuer could not be reached within the last minutes. */
    boolean isUnreachable(String issuer) {
        Instant until = unreachableUntil.get(issuer);
        return until != null && clock.instant().isBefore(until);
    }

    /**
     * Orders a certificate.
     *
     * @param issuer the result of {@link #next}
     * @param failures receives the new failures of the issuer
     * @param replaced the certificate that the new one replaces, if any
     */
    OrderResult order(String name, String issuer, IssuerFailures failures, Optional<IssuedCertificate> replaced)
            throws InterruptedException {
        FailureState before = failures.of(issuer);
        // The failures are stored before the order, so that a restart after a crash does not repeat the order
        // immediately.
        save(name, issuer, failures, RetryDelay.next(before, clock.instant(), random.nextDouble()));
        try {
            LOG.info("name={} issuer={} msg=\"ordering a certificate\"", name, issuer);
            Optional<X509Certificate> former =
                    replaced.filter(each -> each.issuer().equals(issuer)).map(IssuedCertificate::certificate);
            TlsIdentity issued = client(issuer).order(name, former);
            certificates.write(name, issuer, issued);
            return succeeded(name, issuer, failures, issued.certificate());
        } catch (OrderException e) {
            if (e.kind() == OrderException.Kind.UNREACHABLE) {
                unreachableUntil.put(issuer, clock.instant().plus(OUTAGE));
            }
            FailureState next = RetryDelay.after(before, clock.instant(), e, random.nextDouble());
            return failed(name, issuer, failures, next, reason(e));
        } catch (IOException | RuntimeException e) {
            FailureState next = RetryDelay.next(before, clock.instant(), random.nextDouble());
            return failed(name, issuer, failures, next, reason(e));
        } catch (InterruptedException e) {
            boolean unused = Thread.interrupted(); // clears the interrupt, so that the file can be written
            save(name, issuer, failures, before);
            throw e;
        }
    }

    /** Returns the reason of a failure. The text may come from a CA, so its length is limited. */
    private static String reason(Exception failure) {
        String text = ErrorText.of(failure);
        return text.length() <= MAX_REASON ? text : text.substring(0, MAX_REASON) + "...";
    }

    private OrderResult succeeded(String name, String issuer, IssuerFailures failures, X509Certificate certificate) {
        unreachableUntil.remove(issuer);
        save(name, issuer, failures, FailureState.NONE);
        Instant notAfter = certificate.getNotAfter().toInstant();
        LOG.info("name={} issuer={} not_after={} msg=\"a certificate was issued\"", name, issuer, notAfter);
        listener.issued(name, issuer, notAfter);
        coordinator.stored(name, issuer);
        return new OrderResult.Issued(issuer, certificate);
    }

    private OrderResult failed(String name, String issuer, IssuerFailures failures, FailureState state, String reason) {
        save(name, issuer, failures, state);
        Optional<String> next = next(failures);
        FailedOrder failure = new FailedOrder(issuer, reason, next, failures.retryAt());
        LOG.warn(
                "name={} issuer={} failures={} retry_at={} next_issuer={}"
                        + " msg=\"cannot get a certificate; the last one stays in use\" reason=\"{}\"",
                name,
                issuer,
                state.count(),
                state.retryAt(),
                next.orElse("none"),
                reason);
        listener.failed(name, failure);
        return new OrderResult.Failed(failure);
    }

    /** Forgets the failures at an issuer, because another process has received a certificate from this issuer. */
    void forgetFailures(String name, String issuer, IssuerFailures failures) {
        if (failures.of(issuer).count() > 0) {
            save(name, issuer, failures, FailureState.NONE);
        }
    }

    private void save(String name, String issuer, IssuerFailures failures, FailureState state) {
        failures.set(issuer, state);
        try {
            certificates.of(issuer).writeFailures(name, state);
        } catch (IOException e) {
            LOG.warn(
                    "name={} msg=\"cannot save the number of failed orders; a restart may order too early\" reason=\"{}\"",
                    name,
                    ErrorText.of(e));
        }
    }

    /** Asks the issuer of a certificate when to renew it. */
    Optional<RenewalWindow> renewalWindow(IssuedCertificate issued) throws OrderException, InterruptedException {
        try {
            return client(issued.issuer()).renewalWindow(issued.certificate());
        } catch (OrderException e) {
            if (e.kind() == OrderException.Kind.UNREACHABLE) {
                unreachableUntil.put(issued.issuer(), clock.instant().plus(OUTAGE));
            }
            throw e;
        }
    }

    /** Revokes a certificate at its issuer. */
    void revoke(IssuedCertificate issued, RevocationCode reason) throws OrderException, InterruptedException {
        client(issued.issuer()).revoke(issued.certificate(), reason);
    }

    private AcmeClient client(String issuer) {
        AcmeClient client = clients.get(issuer);
        if (client == null) {
            throw new IllegalArgumentException("issuer: " + issuer + " (expected: one of " + clients.keySet() + ")");
        }
        return client;
    }
}
