package io.ballast.acme.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.order.RevocationCode;
import io.ballast.acme.state.AcmeDirectory;
import io.ballast.acme.state.CertificateStore;
import io.ballast.acme.testing.ScriptedClient;
import io.ballast.core.control.UnavailableException;
import io.ballast.core.testing.ManualScheduler;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevocationTest implements RenewalListener {

    private static final String NAME = "shop.example.com";
    private static final Revocation STOLEN = new Revocation(RevocationCode.KEY_COMPROMISE, "alice");

    @TempDir
    private Path dataDir;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedClient client = new ScriptedClient(scheduler.clock());
    private final List<String> events = new ArrayList<>();
    private CertificateStore store;

    @BeforeEach
    void openStore() {
        store = new CertificateStore(new AcmeDirectory(dataDir, URI.create("https://ca.example/dir")));
    }

    @Override
    public void issued(String name, Instant notAfter) {
        events.add("issued " + name);
    }

    @Override
    public void failed(String name, String reason, Instant retryAt) {
        events.add("failed " + name);
    }

    @Override
    public void revoked(String name, Revocation revocation, boolean isReplaced) {
        events.add("revoked " + name + " by " + revocation.who() + (isReplaced ? ", replaced" : ", deleted"));
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
        assertThat(events)
                .containsExactly("issued " + NAME, "revoked " + NAME + " by alice, replaced", "issued " + NAME);
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
        assertThat(events).containsExactly("issued " + NAME);
    }

    @Test
    void filesOfRemovedNameAreDeleted() {
        Renewals renewals = start(Set.of(NAME));
        renewals.manage(Set.of("other.example.com"));

        CompletableFuture<Boolean> done = renewals.revoke(NAME, STOLEN);
        scheduler.runDue();

        assertThat(done).isCompletedWithValue(false);
        assertThat(client.revoked()).hasSize(1);
        assertThat(Files.exists(store.directory().certificate(NAME))).isFalse();
        assertThat(events).contains("revoked " + NAME + " by alice, deleted");
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
        Renewals renewals = new Renewals(store, client, scheduler.clock(), scheduler, () -> 0L, this);
        renewals.manage(names);
        scheduler.runDue();
        return renewals;
    }
}
