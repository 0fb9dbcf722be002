package io.ballast.acme.testing;

import io.ballast.acme.order.AcmeClient;
import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.order.RevocationCode;
import io.ballast.net.tls.TlsIdentity;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A certificate authority that issues or refuses certificates as the test specifies. Confined to one thread. */
public final class ScriptedClient implements AcmeClient {

    private final InstantSource clock;
    private final Map<String, OrderException> refusals = new HashMap<>();
    private final List<String> orders = new ArrayList<>();
    private final List<X509Certificate> replaced = new ArrayList<>();
    private Duration lifetime = Duration.ofDays(90);
    private Optional<RenewalWindow> window = Optional.empty();
    private final List<String> revoked = new ArrayList<>();
    private Optional<OrderException> revocationRefusal = Optional.empty();
    private int checks;
    private boolean isInterrupted;

    public ScriptedClient(InstantSource clock) {
        this.clock = clock;
    }

    public void refuse(String name, OrderException reason) {
        refusals.put(name, reason);
    }

    public void accept(String name) {
        refusals.remove(name);
    }

    public void suggest(RenewalWindow next) {
        window = Optional.of(next);
    }

    /** Lets the next orders end as if the process were stopped. */
    public void interrupt(boolean next) {
        isInterrupted = next;
    }

    /** The names of all orders so far. */
    public List<String> orders() {
        return List.copyOf(orders);
    }

    /** The certificates that orders have named as replaced. */
    public List<X509Certificate> replaced() {
        return List.copyOf(replaced);
    }

    /** The serial numbers and reasons of revoked certificates. */
    public List<String> revoked() {
        return List.copyOf(revoked);
    }

    public void refuseRevocations(OrderException reason) {
        revocationRefusal = Optional.of(reason);
    }

    /** The number of requests for the suggested renewal time. */
    public int checks() {
        return checks;
    }

    @Override
    public TlsIdentity order(String name, Optional<X509Certificate> former)
            throws OrderException, InterruptedException {
        orders.add(name);
        former.ifPresent(replaced::add);
        if (isInterrupted) {
            Thread.currentThread().interrupt(); // as HTTP clients may do
            throw new InterruptedException();
        }
        OrderException refusal = refusals.get(name);
        if (refusal != null) {
            throw refusal;
        }
        return TestCertificates.create(name, clock.instant(), lifetime);
    }

    @Override
    public void revoke(X509Certificate certificate, RevocationCode reason) throws OrderException {
        if (revocationRefusal.isPresent()) {
            throw revocationRefusal.get();
        }
        revoked.add(certificate.getSerialNumber() + " " + reason.label());
    }

    @Override
    public Optional<RenewalWindow> renewalWindow(X509Certificate certificate) {
        checks++;
        return window;
    }
}
