package io.ballast.acme.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.order.RevocationCode;
import io.ballast.acme.state.CertificateStore;
import io.ballast.acme.testing.ScriptedClient;
import io.ballast.core.control.UnavailableException;
import io.ballast.core.testing.ManualScheduler;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevocationTest {

    private static final String NAME = "shop.example.com";
    private static final Revocation STOLEN = new Revocation(RevocationCode.KEY_COMPROMISE, "alice");

    @TempDir
    private Path dataDir;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedClient client = new ScriptedClient(scheduler.clock());
    private final RecordedEvents events = new RecordedEvents();
    private TestIssuers issuers;
    private CertificateStore store;

    @BeforeEach
    void openStore() {
        issuers = new TestIssuers(dataDir, scheduler.clock(), "https://ca.example/dir");
        store = issuers.store("ca.example");
    }

    @Test
    void revokedCertificateIsReplacedAtOnce() {
        Renewals renewals = start(Set.of(NAME));
        BigInteger first = serial();

        CompletableFuture<Boolean> done = renewals.revoke(NAME, STOLEN);
        scheduler.runDue();

        assertThat(done).isCompletedWithValue(true);
        assertThat(client.revoked()).containsExactly(first + " key-compromise");
        assertThat(client.orders()).hasSize(2);
        assertThat(serial()).isNotEqualTo(first);
        assertThat(events.all())
                .containsExactly(
                        "ca.example issued " + NAME,
                        "revoked " + NAME + " by alice, replaced",
                        "ca.example issued " + NAME);
        scheduler.advance(Duration.ofDays(30));
        assertThat(client.orders()).hasSize(2);
    }

    @Test
    void replacementIsNotDelayedBySuggestion() {
        client.suggest(new RenewalWindow(
                scheduler.clock().instant().plus(Duration.ofDays(20)),
                scheduler.clock().instant().plus(Duration.ofDays(22)),
                Optional.empty()));
        Renewals renewals = start(Set.of(NAME));
        client.refuse(NAME, new OrderException("busy"));
        renewals.revoke(NAME, STOLEN);
        scheduler.runDue();
        client.accept(NAME);

        scheduler.advance(Duration.ofMinutes(7));

        assertThat(client.orders()).hasSize(3);
    }

    @Test
    void restartStillOrdersReplacement() {
        Renewals renewals = start(Set.of(NAME));
        BigInteger first = serial();
        client.refuse(NAME, new OrderException("busy"));
        renewals.revoke(NAME, STOLEN);
        scheduler.runDue();
        renewals.stop();
        scheduler.runDue();
        client.accept(NAME);
        assertThat(serial()).isEqualTo(first);

        start(Set.of(NAME));
        scheduler.advance(Duration.ofMinutes(7));

        assertThat(serial()).isNotEqualTo(first);
        int orders = client.orders().size();
        start(Set.of(NAME));
        assertThat(client.orders()).hasSize(orders);
    }

    @Test
    void refusedRevocationChangesNothing() {
        Renewals renewals = start(Set.of(NAME));
        client.refuseRevocations(new OrderException("not authorized"));

        CompletableFuture<Boolean> done = renewals.revoke(NAME, STOLEN);
        scheduler.runDue();

        assertThatThrownBy(done::join).hasRootCauseMessage("not authorized");
        assertThat(client.orders()).hasSize(1);
        assertThat(events.all()).containsExactly("ca.example issued " + NAME);
    }

    @Test
    void filesOfRemovedNameAreDeleted() {
        Renewals renewals = start(Set.of(NAME));
        renewals.manage(issuers.of(Set.of("other.example.com")));

        CompletableFuture<Boolean> done = renewals.revoke(NAME, STOLEN);
        scheduler.runDue();

        assertThat(done).isCompletedWithValue(false);
        assertThat(client.revoked()).hasSize(1);
        assertThat(Files.exists(store.directory().certificate(NAME))).isFalse();
        assertThat(events.all()).contains("revoked " + NAME + " by alice, deleted");
    }

    @Test
    void temporaryCertificateCannotBeRevoked() throws Exception {
        client.refuse(NAME, new OrderException("busy"));
        store.createTemporary(NAME, scheduler.clock().instant());
        Renewals renewals = start(Set.of(NAME));

        CompletableFuture<Boolean> done = renewals.revoke(NAME, STOLEN);
        scheduler.runDue();

        assertThatThrownBy(done::join).hasRootCauseInstanceOf(NoSuchElementException.class);
        assertThat(client.revoked()).isEmpty();
    }

    @Test
    void boundsWaitingRevocations() {
        Renewals renewals = start(Set.of(NAME));
        List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < Renewals.MAX_REVOCATIONS; i++) {
            waiting.add(renewals.revoke(NAME, STOLEN));
        }

        CompletableFuture<Boolean> tooMany = renewals.revoke(NAME, STOLEN);

        assertThatThrownBy(tooMany::join).hasRootCauseInstanceOf(UnavailableException.class);
        scheduler.runDue();
        assertThat(waiting).allMatch(CompletableFuture::isDone);
        assertThat(renewals.revoke(NAME, STOLEN)).isNotDone();
    }

    private BigInteger serial() {
        return store.read(NAME).orElseThrow().certificate().getSerialNumber();
    }

    private Renewals start(Set<String> names) {
        IssuerOrders orders = issuers.orders(Map.of("ca.example", client), () -> 0L, events);
        Renewals renewals = new Renewals(orders, scheduler.clock(), scheduler, () -> 0L, events);
        renewals.manage(issuers.of(names));
        scheduler.runDue();
        return renewals;
    }
}
