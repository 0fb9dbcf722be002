package io.ballast.acme.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.order.RevocationCode;
import io.ballast.acme.testing.ScriptedClient;
import io.ballast.acme.testing.TestCertificates;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the choice between two issuers. */
class IssuerFallbackTest {

    private static final String NAME = "shop.example.com";
    private static final String OTHER_NAME = "www.example.com";
    private static final String FIRST = "first.example";
    private static final String SECOND = "second.example";
    private static final RandomGenerator LOWEST = () -> 0L;

    @TempDir
    private Path dataDir;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedClient first = new ScriptedClient(scheduler.clock());
    private final ScriptedClient second = new ScriptedClient(scheduler.clock());
    private final RecordedEvents events = new RecordedEvents();
    private final OrderException unreachable = new OrderException("no route to host", OrderException.Kind.UNREACHABLE);
    private final OrderException notVerified = new OrderException("wrong response", OrderException.Kind.NOT_VERIFIED);
    private TestIssuers issuers;

    @BeforeEach
    void openStores() {
        issuers =
                new TestIssuers(dataDir, scheduler.clock(), "https://first.example/dir", "https://second.example/dir");
    }

    @Test
    void firstIssuerIsUsedIfItIssues() {
        start(NAME);

        assertThat(events.all()).containsExactly("first.example issued " + NAME);
        assertThat(second.orders()).isEmpty();
    }

    @Test
    void secondIssuerIsTriedAtOnceIfFirstIsUnreachable() {
        first.refuse(NAME, unreachable);

        Renewals renewals = start(NAME);

        assertThat(events.all())
                .containsExactly(
                        "first.example failed " + NAME + " no route to host, then second.example",
                        "second.example issued " + NAME);
        assertThat(renewals.states()).singleElement().satisfies(state -> {
            assertThat(state.issuer()).contains(SECOND);
            assertThat(state.failures()).isEqualTo(1);
            assertThat(state.error()).isEmpty();
        });
    }

    @Test
    void secondIssuerIsTriedAtOnceIfFirstLimitsRate() {
        Instant demanded = now().plus(Duration.ofDays(2));
        first.refuse(NAME, new OrderException("too many orders", Optional.of(demanded), new Exception()));

        start(NAME);

        assertThat(second.orders()).containsExactly(NAME);
        assertThat(issuers.store(FIRST).failures(NAME).retryAt()).isEqualTo(demanded);
    }

    @Test
    void renewalBeginsWithFirstIssuerAgain() {
        first.refuse(NAME, unreachable);
        start(NAME);
        first.accept(NAME);

        scheduler.advance(Duration.ofDays(61));

        assertThat(first.orders()).hasSize(2);
        assertThat(second.orders()).hasSize(1);
        assertThat(served()).isEqualTo(issuers.store(FIRST).read(NAME).orElseThrow());
        assertThat(first.replaced()).isEmpty();
    }

    @Test
    void failedVerificationIsRepeatedAtSameIssuerBeforeNextOne() {
        first.refuse(NAME, notVerified);
        start(NAME);
        assertThat(second.orders()).isEmpty();

        scheduler.advance(Duration.ofMinutes(6));
        assertThat(first.orders()).hasSize(2);
        assertThat(second.orders()).isEmpty();

        scheduler.advance(Duration.ofMinutes(11));
        assertThat(first.orders()).hasSize(RetryDelay.MAX_VERIFICATIONS);
        assertThat(second.orders()).containsExactly(NAME);
    }

    @Test
    void restartContinuesWithSecondIssuer() {
        first.refuse(NAME, unreachable);
        second.interrupt(true);
        start(NAME);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(issuers.certificates().read(NAME, now())).isEmpty();
        second.interrupt(false);

        start(NAME);

        assertThat(first.orders()).hasSize(1);
        assertThat(second.orders()).hasSize(2);
        assertThat(served()).isEqualTo(issuers.store(SECOND).read(NAME).orElseThrow());
    }

    @Test
    void unreachableIssuerIsLeftOutForOtherNames() {
        first.refuse(NAME, unreachable);
        first.refuse(OTHER_NAME, unreachable);

        Renewals renewals = renewals();
        renewals.manage(Map.of(NAME, issuers.names(), OTHER_NAME, issuers.names()));
        scheduler.runDue();

        assertThat(first.orders()).hasSize(1);
        assertThat(second.orders()).containsExactlyInAnyOrder(NAME, OTHER_NAME);
    }

    @Test
    void bothIssuersAreTriedAgainAfterDelay() {
        first.refuse(NAME, unreachable);
        second.refuse(NAME, unreachable);
        Renewals renewals = start(NAME);
        assertThat(first.orders()).hasSize(1);
        assertThat(second.orders()).hasSize(1);
        assertThat(renewals.states()).singleElement().satisfies(state -> {
            assertThat(state.error()).contains("second.example: no route to host");
            assertThat(state.nextOrder()).isEqualTo(now().plus(Duration.ofMinutes(5)));
        });

        scheduler.advance(Duration.ofMinutes(5));

        assertThat(first.orders()).hasSize(2);
        assertThat(second.orders()).hasSize(2);
    }

    @Test
    void reasonOfFailureIsBounded() {
        first.refuse(NAME, new OrderException("x".repeat(100_000)));
        second.refuse(NAME, new OrderException("y".repeat(100_000)));

        Renewals renewals = start(NAME);

        assertThat(renewals.states().get(0).error().orElseThrow()).hasSizeLessThan(2 * IssuerOrders.MAX_REASON);
    }

    @Test
    void nameMayHaveOneIssuer() {
        second.refuse(NAME, unreachable);
        Renewals renewals = renewals();
        renewals.manage(Map.of(NAME, List.of(SECOND)));
        scheduler.runDue();

        assertThat(first.orders()).isEmpty();
        assertThat(second.orders()).containsExactly(NAME);
    }

    @Test
    void changedIssuersReplaceCertificateAtOnce() {
        Renewals renewals = start(NAME);
        TlsIdentity before = served();
        second.refuse(NAME, unreachable);

        renewals.manage(Map.of(NAME, List.of(SECOND)));
        scheduler.runDue();
        assertThat(served()).isEqualTo(before);

        second.accept(NAME);
        scheduler.advance(Duration.ofMinutes(6));
        assertThat(served()).isEqualTo(issuers.store(SECOND).read(NAME).orElseThrow());
    }

    @Test
    void certificateThatWasStoredDuringReloadIsServed() throws Exception {
        issuers.certificates().prepare(NAME, now());
        TlsIdentity late = TestCertificates.create(NAME, now(), Duration.ofDays(90));
        issuers.store(FIRST).write(NAME, late);

        start(NAME);

        assertThat(served()).isEqualTo(late);
        assertThat(first.orders()).isEmpty();
    }

    @Test
    void changedOrderOfIssuersWaitsForRenewal() {
        Renewals renewals = start(NAME);

        renewals.manage(Map.of(NAME, List.of(SECOND, FIRST)));
        scheduler.runDue();
        assertThat(second.orders()).isEmpty();

        scheduler.advance(Duration.ofDays(61));
        assertThat(second.orders()).containsExactly(NAME);
    }

    @Test
    void issuerOfCertificateIsAskedAndRevokes() {
        first.refuse(NAME, unreachable);
        second.suggest(
                new RenewalWindow(now().plus(Duration.ofDays(20)), now().plus(Duration.ofDays(21)), Optional.empty()));
        Renewals renewals = start(NAME);
        assertThat(first.checks()).isZero();
        assertThat(second.checks()).isEqualTo(1);

        renewals.revoke(NAME, new Revocation(RevocationCode.SUPERSEDED, "alice"));
        scheduler.runDue();

        assertThat(first.revoked()).isEmpty();
        assertThat(second.revoked()).hasSize(1);
        assertThat(second.orders()).hasSize(2);
    }

    private Renewals start(String name) {
        Renewals renewals = renewals();
        renewals.manage(Map.of(name, issuers.names()));
        scheduler.runDue();
        return renewals;
    }

    private Renewals renewals() {
        IssuerOrders orders = issuers.orders(Map.of(FIRST, first, SECOND, second), LOWEST, events);
        return new Renewals(orders, scheduler.clock(), scheduler, LOWEST, events);
    }

    private TlsIdentity served() {
        try {
            return TlsIdentity.load(issuers.certificates().tlsFiles(NAME));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Instant now() {
        return scheduler.clock().instant();
    }
}
