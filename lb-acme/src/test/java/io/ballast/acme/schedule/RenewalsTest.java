package io.ballast.acme.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.state.CertificateStore;
import io.ballast.acme.state.FailureState;
import io.ballast.acme.testing.ScriptedClient;
import io.ballast.core.testing.ManualScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenewalsTest {

    private static final String NAME = "shop.example.com";
    /** A small number of orders per hour, because each order writes files, which takes time. */
    private static final int SMALL_BUDGET = 4;

    private static final RandomGenerator LOWEST = () -> 0L;

    @TempDir
    private Path dataDir;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedClient client = new ScriptedClient(scheduler.clock());
    private final RecordedEvents events = new RecordedEvents();
    private TestIssuers issuers;
    private CertificateStore store;

    @BeforeEach
    void openStore() {
        issuers = new TestIssuers(dataDir, scheduler.clock(), "https://ca.example:14000/dir");
        store = issuers.store("ca.example");
    }

    @Test
    void ordersMissingCertificateAtOnceAndStoresIt() throws Exception {
        Renewals renewals = start(NAME);

        assertThat(client.orders()).containsExactly(NAME);
        assertThat(store.read(NAME)).isPresent();
        assertThat(events.all()).containsExactly("ca.example issued " + NAME);
        Path file = store.directory().certificate(NAME);
        assertThat(file).isEqualTo(dataDir.resolve("acme/ca.example-14000-dir/certificates/shop.example.com.pem"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(renewals.states()).singleElement().satisfies(state -> {
            assertThat(state.lastSuccess()).contains(now());
            assertThat(state.notAfter()).contains(now().plus(Duration.ofDays(90)));
            assertThat(state.failures()).isZero();
        });
    }

    @Test
    void renewsAtTwoThirdsOfLifetime() {
        start(NAME);

        scheduler.advance(Duration.ofDays(60).minusMinutes(1));
        assertThat(client.orders()).hasSize(1);

        scheduler.advance(Duration.ofMinutes(2));
        assertThat(client.orders()).hasSize(2);
        assertThat(client.replaced()).hasSize(1);
    }

    @Test
    void usesStoredCertificateAfterRestart() {
        start(NAME).stop();
        scheduler.runDue();
        scheduler.advance(Duration.ofDays(10));

        start(NAME);
        assertThat(client.orders()).hasSize(1);

        scheduler.advance(Duration.ofDays(51));
        assertThat(client.orders()).hasSize(2);
    }

    @Test
    void renewsAtOnceIfDueDuringDowntime() {
        start(NAME).stop();
        scheduler.advance(Duration.ofDays(80));

        start(NAME);

        assertThat(client.orders()).hasSize(2);
    }

    @Test
    void failureDoublesDelayUpToTwelveHours() {
        client.refuse(NAME, new OrderException("no route to host"));
        start(NAME);

        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            delays.add(advanceToNextOrder());
        }

        assertThat(delays)
                .extracting(Duration::toMinutes)
                .containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 320L, 640L, 720L, 720L);
        assertThat(events.all())
                .hasSize(11)
                .allMatch(event -> event.equals("ca.example failed shop.example.com no route to host"));
    }

    @Test
    void failedRenewalKeepsLastCertificate() {
        start(NAME);
        Instant first =
                store.read(NAME).orElseThrow().certificate().getNotBefore().toInstant();
        client.refuse(NAME, new OrderException("rejected"));

        scheduler.advance(Duration.ofDays(61));

        assertThat(client.orders()).hasSizeGreaterThan(2);
        assertThat(store.read(NAME).orElseThrow().certificate().getNotBefore()).isEqualTo(first);

        client.accept(NAME);
        scheduler.advance(Duration.ofHours(13));
        assertThat(store.read(NAME).orElseThrow().certificate().getNotBefore()).isAfter(first);
        assertThat(store.failures(NAME).count()).isZero();
    }

    @Test
    void restartDoesNotShortenDelayAfterFailure() {
        client.refuse(NAME, new OrderException("rejected"));
        start(NAME).stop();
        scheduler.runDue();
        client.accept(NAME);

        start(NAME);
        scheduler.advance(Duration.ofMinutes(4));
        assertThat(client.orders()).hasSize(1);

        scheduler.advance(Duration.ofMinutes(2));
        assertThat(client.orders()).hasSize(2);
        assertThat(store.read(NAME)).isPresent();
    }

    @Test
    void interruptedOrderIsNotFailure() throws Exception {
        FailureState before = new FailureState(1, now(), /* passesOn= */ false);
        store.writeFailures(NAME, before);
        client.interrupt(true);
        start(NAME);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(store.failures(NAME)).isEqualTo(before);
        client.interrupt(false);

        start(NAME);

        assertThat(client.orders()).hasSize(2);
        assertThat(events.all()).containsExactly("ca.example issued " + NAME);
    }

    @Test
    void waitsAsLongAsCertificateAuthorityDemands() {
        Instant demanded = now().plus(Duration.ofDays(2));
        client.refuse(NAME, new OrderException("too many orders", Optional.of(demanded), new Exception()));
        start(NAME);

        scheduler.advance(Duration.ofDays(2).minusMinutes(1));
        assertThat(client.orders()).hasSize(1);

        scheduler.advance(Duration.ofMinutes(2));
        assertThat(client.orders()).hasSize(2);
    }

    @Test
    void boundsDemandedDelay() {
        Instant demanded = now().plus(Duration.ofDays(365));
        client.refuse(NAME, new OrderException("too many orders", Optional.of(demanded), new Exception()));
        start(NAME);

        scheduler.advance(Duration.ofDays(7).plusMinutes(1));

        assertThat(client.orders()).hasSize(2);
    }

    @Test
    void followsSuggestedWindow() {
        RenewalWindow window =
                new RenewalWindow(now().plus(Duration.ofDays(20)), now().plus(Duration.ofDays(22)), Optional.empty());
        client.suggest(window);
        start(NAME);

        scheduler.advance(Duration.ofDays(20).minusMinutes(1));
        assertThat(client.orders()).hasSize(1);

        scheduler.advance(Duration.ofHours(1));
        assertThat(client.orders()).hasSize(2);
    }

    @Test
    void renewsAtOnceIfWindowIsInThePast() {
        start(NAME);
        client.suggest(
                new RenewalWindow(now().minus(Duration.ofDays(2)), now().minus(Duration.ofDays(1)), Optional.empty()));

        scheduler.advance(Duration.ofHours(7));

        assertThat(client.orders()).hasSizeGreaterThan(1);
    }

    @Test
    void renewsBeforeExpiryWhateverIsSuggested() {
        client.suggest(new RenewalWindow(
                now().plus(Duration.ofDays(400)), now().plus(Duration.ofDays(500)), Optional.empty()));
        start(NAME);

        scheduler.advance(Duration.ofDays(82));

        assertThat(client.orders()).hasSize(2);
    }

    @Test
    void asksForSuggestionEverySixHours() {
        start(NAME);

        scheduler.advance(Duration.ofHours(13));

        assertThat(client.checks()).isEqualTo(3);
    }

    @Test
    void boundsOrdersInAnHour() {
        Set<String> names = IntStream.range(0, SMALL_BUDGET + 3)
                .mapToObj(i -> "n" + i + ".example.com")
                .collect(Collectors.toCollection(LinkedHashSet::new));
        Renewals renewals = renewals(new OrderBudget(SMALL_BUDGET));
        renewals.manage(issuers.of(names));
        scheduler.runDue();
        assertThat(client.orders()).hasSize(SMALL_BUDGET);

        scheduler.advance(Duration.ofMinutes(61));

        assertThat(client.orders()).hasSize(names.size()).doesNotHaveDuplicates();
    }

    @Test
    void refusedNameDoesNotDelayOthers() {
        client.refuse("bad.example.com", new OrderException("rejected"));
        Renewals renewals = renewals();
        renewals.manage(issuers.of(new LinkedHashSet<>(List.of("bad.example.com", NAME))));
        scheduler.runDue();

        assertThat(store.read(NAME)).isPresent();
        assertThat(store.read("bad.example.com")).isEmpty();
        assertThat(renewals.states())
                .extracting(CertificateState::error)
                .containsExactlyInAnyOrder(Optional.of("ca.example: rejected"), Optional.empty());
    }

    @Test
    void removedNameIsNotRenewed() {
        Renewals renewals = start(NAME);

        renewals.manage(issuers.of(Set.of("other.example.com")));
        scheduler.advance(Duration.ofDays(61));

        assertThat(client.orders().stream().filter(NAME::equals)).hasSize(1);
        assertThat(renewals.states()).extracting(CertificateState::name).containsExactly("other.example.com");
    }

    private Renewals start(String name) {
        Renewals renewals = renewals();
        renewals.manage(issuers.of(Set.of(name)));
        scheduler.runDue();
        return renewals;
    }

    private Renewals renewals() {
        return renewals(new OrderBudget(OrderBudget.MAX_PER_HOUR));
    }

    private Renewals renewals(OrderBudget budget) {
        IssuerOrders orders = issuers.orders(Map.of("ca.example", client), LOWEST, events);
        return new Renewals(orders, scheduler.clock(), scheduler, LOWEST, events, budget);
    }

    private Duration advanceToNextOrder() {
        Instant before = now();
        int orders = client.orders().size();
        while (client.orders().size() == orders) {
            scheduler.advance(Duration.ofSeconds(30));
        }
        return Duration.between(before, now());
    }

    private Instant now() {
        return scheduler.clock().instant();
    }
}
