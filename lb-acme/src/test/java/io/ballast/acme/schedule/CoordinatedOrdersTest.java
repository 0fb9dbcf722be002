package io.ballast.acme.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.acme.coordination.OrderCoordinator;
import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RevocationCode;
import io.ballast.acme.state.CertificateStore;
import io.ballast.acme.state.FailureState;
import io.ballast.acme.testing.ScriptedClient;
import io.ballast.acme.testing.TestCertificates;
import io.ballast.core.config.TlsFiles;
import io.ballast.core.control.UnavailableException;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.net.tls.TlsIdentity;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a process that shares its certificates with another one, which may order in its place. */
class CoordinatedOrdersTest implements OrderCoordinator {

    private static final String NAME = "shop.example.com";
    private static final String ON_DEMAND = "customer.example.net";
    private static final String CA = "ca.example";
    private static final RandomGenerator LOWEST = () -> 0L;
    private static final Revocation REVOCATION = new Revocation(RevocationCode.KEY_COMPROMISE, "ann");

    @TempDir
    private Path dataDir;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedClient client = new ScriptedClient(scheduler.clock());
    private final RecordedEvents events = new RecordedEvents();
    private final List<String> stored = new ArrayList<>();
    private final List<String> requested = new ArrayList<>();
    private TestIssuers issuers;
    private CertificateStore store;
    private Renewals renewals;
    private OnDemandOrders onDemand;
    private int asked;
    private boolean mayOrder;

    @BeforeEach
    void start() {
        issuers = new TestIssuers(dataDir, scheduler.clock(), "https://ca.example:14000/dir");
        store = issuers.store(CA);
        IssuerOrders orders = issuers.orders(Map.of(CA, client), LOWEST, events, this);
        onDemand = new OnDemandOrders(
                issuers.certificates(),
                issuers.names(),
                name -> {
                    asked++;
                    return CompletableFuture.completedFuture(true);
                },
                /* ordersPerHour= */ 10,
                scheduler.clock(),
                scheduler,
                LOWEST);
        onDemand.begin(orders, scheduler);
        renewals = new Renewals(orders, scheduler.clock(), scheduler, LOWEST, events);
        renewals.manage(issuers.of(Set.of(NAME)));
        scheduler.runDue();
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public boolean mayOrder() {
        return mayOrder;
    }

    @Override
    public String refusal() {
        return "ordered by n1";
    }

    @Override
    public void stored(String name, String issuer) {
        stored.add(issuer + " " + name);
    }

    @Override
    public void request(String name, Optional<X509Certificate> replaced) {
        requested.add(
                name + replaced.map(each -> " for " + each.getSerialNumber()).orElse(""));
    }

    private void lead() {
        mayOrder = true;
        scheduler.advance(Renewals.MAY_ORDER_CHECK);
    }

    private TlsIdentity receive(String name) throws Exception {
        TlsIdentity received = TestCertificates.create(name, now(), Duration.ofDays(90));
        issuers.certificates().receive(name, CA, received, now());
        renewals.reread(name);
        onDemand.reread(name);
        scheduler.runDue();
        return received;
    }

    private Instant now() {
        return scheduler.clock().instant();
    }

    @Test
    void nothingIsOrderedUntilThisProcessMayOrder() {
        scheduler.advance(Duration.ofDays(1));
        assertThat(client.orders()).isEmpty();

        lead();
        assertThat(client.orders()).containsExactly(NAME);
        assertThat(stored).containsExactly("ca.example shop.example.com");
    }

    @Test
    void certificateOfAnotherProcessIsUsedAndRenewedByTheNextLeader() throws Exception {
        store.writeFailures(NAME, new FailureState(3, now().plus(Duration.ofDays(3)), /* passesOn= */ false));
        TlsIdentity received = receive(NAME);
        assertThat(renewals.states())
                .singleElement()
                .satisfies(state -> assertThat(state.notAfter())
                        .contains(received.certificate().getNotAfter().toInstant()));
        scheduler.advance(Duration.ofDays(59));
        lead();
        assertThat(client.orders()).isEmpty();

        scheduler.advance(Duration.ofDays(2));
        assertThat(client.orders()).containsExactly(NAME);
        assertThat(client.replaced()).containsExactly(received.certificate());
    }

    @Test
    void receivedCertificateEndsTheFailures() throws Exception {
        client.refuse(NAME, new OrderException("rejected"));
        lead();
        assertThat(store.failures(NAME).count()).isEqualTo(1);
        mayOrder = false;

        receive(NAME);

        assertThat(store.failures(NAME).count()).isZero();
        assertThat(renewals.states())
                .singleElement()
                .satisfies(state -> assertThat(state.error()).isEmpty());
    }

    @Test
    void receivedRevocationIsFollowedByAnOrderOfTheLeader() throws Exception {
        TlsIdentity received = receive(NAME);
        String serial = received.certificate().getSerialNumber().toString(16);
        issuers.certificates().receiveRevocation(NAME, CA, serial, /* isDeleted= */ false, now());
        renewals.reread(NAME);
        scheduler.runDue();
        assertThat(client.orders()).isEmpty();

        lead();

        assertThat(client.orders()).containsExactly(NAME);
    }

    @Test
    void processThatDoesNotOrderRefusesRevocations() throws Exception {
        receive(NAME);

        CompletableFuture<Boolean> result = renewals.revoke(NAME, REVOCATION);
        scheduler.runDue();

        assertThat(result)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(UnavailableException.class)
                .withMessageContaining("ordered by n1");
        assertThat(client.revoked()).isEmpty();
    }

    @Test
    void revokedCertificateOnDemandIsKeptUntilAllProcessesKnow() throws Exception {
        TlsIdentity received = receive(ON_DEMAND);
        lead();
        stored.clear();

        CompletableFuture<Boolean> result = renewals.revoke(ON_DEMAND, REVOCATION);
        scheduler.runDue();

        assertThat(result).isCompletedWithValue(false);
        assertThat(store.isRevoked(ON_DEMAND, received.certificate())).isTrue();
        assertThat(stored).containsExactly("ca.example customer.example.net");
    }

    @Test
    void handshakeWaitsForTheOrderOfAnotherProcess() throws Exception {
        CompletableFuture<Optional<TlsFiles>> found = onDemand.find(ON_DEMAND);
        scheduler.runDue();
        assertThat(requested).containsExactly(ON_DEMAND);
        assertThat(asked).isEqualTo(1);
        assertThat(found).isNotDone();

        receive(ON_DEMAND);

        assertThat(found).isCompletedWithValue(Optional.of(store.directory().tlsFiles(ON_DEMAND)));
        assertThat(client.orders()).isEmpty();
    }

    @Test
    void handshakeEndsIfTheOtherProcessGetsNoCertificate() {
        CompletableFuture<Optional<TlsFiles>> found = onDemand.find(ON_DEMAND);
        scheduler.runDue();

        onDemand.requestEnded(ON_DEMAND);
        scheduler.runDue();

        assertThat(found).isCompletedWithValue(Optional.empty());
        assertThat(onDemand.find(ON_DEMAND)).isCompletedWithValue(Optional.empty());
        assertThat(requested).hasSize(1);
    }

    @Test
    void certificateThatArrivesLaterIsUsedAtOnce() throws Exception {
        CompletableFuture<Optional<TlsFiles>> first = onDemand.find(ON_DEMAND);
        scheduler.runDue();
        onDemand.requestEnded(ON_DEMAND);
        scheduler.runDue();
        assertThat(first).isCompletedWithValue(Optional.empty());

        receive(ON_DEMAND);

        CompletableFuture<Optional<TlsFiles>> next = onDemand.find(ON_DEMAND);
        scheduler.runDue();
        assertThat(next).isCompletedWithValue(Optional.of(store.directory().tlsFiles(ON_DEMAND)));
    }

    @Test
    void dueCertificateOnDemandIsRequestedAgain() throws Exception {
        TlsIdentity received = receive(ON_DEMAND);
        scheduler.advance(Duration.ofDays(61));

        onDemand.renewIfDue(ON_DEMAND, received.certificate());
        scheduler.runDue();

        assertThat(requested)
                .containsExactly(ON_DEMAND + " for " + received.certificate().getSerialNumber());
    }

    @Test
    void nameIsOrderedForAnotherProcessWithoutAskingAgain() throws Exception {
        lead();
        assertThat(onDemand.findPermitted(ON_DEMAND, Optional.empty())).isNotDone();
        scheduler.runDue();
        assertThat(client.orders()).containsExactly(NAME, ON_DEMAND);
        assertThat(asked).isZero();

        CompletableFuture<?> again = onDemand.findPermitted(ON_DEMAND, Optional.empty());
        scheduler.runDue();
        assertThat(again).isCompleted();
        assertThat(client.orders()).hasSize(2);

        String serial = store.read(ON_DEMAND)
                .orElseThrow()
                .certificate()
                .getSerialNumber()
                .toString(16);
        CompletableFuture<?> renewed = onDemand.findPermitted(ON_DEMAND, Optional.of(serial));
        scheduler.runDue();
        assertThat(renewed).isCompleted();
        assertThat(client.orders()).containsExactly(NAME, ON_DEMAND, ON_DEMAND);
    }
}
