package io.ballast.acme.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.testing.ScriptedClient;
import io.ballast.acme.testing.TestCertificates;
import io.ballast.core.config.TlsFiles;
import io.ballast.core.testing.ManualScheduler;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the list of certificates on demand, their issuers and the times of their renewals. */
class OnDemandListTest {

    private static final String NAME = "shop.example.com";
    private static final String FIRST = "first.example";
    private static final String SECOND = "second.example";
    private static final int MAX_PER_HOUR = 10;

    @TempDir
    private Path dataDir;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedClient first = new ScriptedClient(scheduler.clock());
    private final ScriptedClient second = new ScriptedClient(scheduler.clock());
    private final RecordedEvents events = new RecordedEvents();
    private TestIssuers issuers;
    private OnDemandOrders orders;

    @BeforeEach
    void open() {
        issuers =
                new TestIssuers(dataDir, scheduler.clock(), "https://first.example/dir", "https://second.example/dir");
        orders = start(issuers.names());
    }

    @Test
    void issuedCertificateIsListed() {
        find();

        assertThat(orders.states()).singleElement().satisfies(state -> {
            assertThat(state.name()).isEqualTo(NAME);
            assertThat(state.issuer()).contains(FIRST);
            assertThat(state.isOnDemand()).isTrue();
            assertThat(state.notAfter()).contains(now().plus(Duration.ofDays(90)));
            assertThat(state.nextOrder()).isEqualTo(now().plus(Duration.ofDays(60)));
            assertThat(state.lastSuccess()).contains(now());
        });
        orders.forget(NAME);
        assertThat(orders.states()).isEmpty();
    }

    @Test
    void storedCertificateIsListedAfterRestartWhenItIsUsed() {
        find();
        orders = start(issuers.names());
        assertThat(orders.states()).isEmpty();

        find();

        assertThat(orders.states()).singleElement().satisfies(state -> {
            assertThat(state.issuer()).contains(FIRST);
            assertThat(state.lastSuccess()).isEmpty();
        });
        assertThat(first.orders()).hasSize(1);
    }

    @Test
    void failedNameIsListedWithError() {
        first.refuse(NAME, new OrderException("rejected"));
        second.refuse(NAME, new OrderException("busy"));

        assertThat(find()).isEmpty();

        assertThat(orders.states()).singleElement().satisfies(state -> {
            assertThat(state.issuer()).isEmpty();
            assertThat(state.failures()).isEqualTo(2);
            assertThat(state.error()).contains("second.example: busy");
        });
    }

    @Test
    void secondIssuerIssuesForSameClient() {
        first.refuse(NAME, new OrderException("down", OrderException.Kind.UNREACHABLE));

        assertThat(find()).contains(issuers.certificates().tlsFiles(NAME));

        assertThat(events.all())
                .containsExactly(
                        "first.example failed " + NAME + " down, then second.example", "second.example issued " + NAME);
        assertThat(orders.states()).extracting(CertificateState::issuer).containsExactly(Optional.of(SECOND));
    }

    @Test
    void issuersCanBeChosen() {
        orders = start(List.of(SECOND));

        find();

        assertThat(first.orders()).isEmpty();
        assertThat(second.orders()).containsExactly(NAME);
    }

    @Test
    void suggestionIsFollowed() {
        find();
        X509Certificate issued = stored();
        first.suggest(
                new RenewalWindow(now().plus(Duration.ofDays(20)), now().plus(Duration.ofDays(21)), Optional.empty()));

        renewIfDue(issued);
        renewIfDue(issued);
        assertThat(first.checks()).isEqualTo(1);
        assertThat(orders.states())
                .extracting(CertificateState::nextOrder)
                .containsExactly(now().plus(Duration.ofDays(20)));

        scheduler.advance(Duration.ofDays(19));
        renewIfDue(issued);
        assertThat(first.orders()).hasSize(1);
        assertThat(first.checks()).isEqualTo(2);

        scheduler.advance(Duration.ofDays(1));
        renewIfDue(issued);
        assertThat(first.orders()).hasSize(2);
        assertThat(first.replaced()).containsExactly(issued);
    }

    @Test
    void replacedCertificateIsNotRenewedAgain() {
        find();
        X509Certificate issued = stored();
        scheduler.advance(Duration.ofDays(61));
        renewIfDue(issued);
        assertThat(first.orders()).hasSize(2);

        renewIfDue(stored());
        renewIfDue(issued);

        assertThat(first.orders()).hasSize(2);
    }

    @Test
    void unreachableIssuerIsNotAskedForSuggestion() {
        find();
        first.refuse("other.example", new OrderException("down", OrderException.Kind.UNREACHABLE));
        orders.find("other.example");
        scheduler.runDue();

        renewIfDue(stored());

        assertThat(first.checks()).isZero();
    }

    @Test
    void numberOfListedCertificatesIsBounded() {
        OnDemandCertificates certificates = new OnDemandCertificates();
        X509Certificate issued =
                TestCertificates.create(NAME, now(), Duration.ofDays(90)).certificate();
        OrderResult result = new OrderResult.Issued(FIRST, issued);
        IssuerFailures failures = new IssuerFailures(
                issuers.names(), issuer -> issuers.store(issuer).failures(NAME));
        for (int i = 0; i < OnDemandCertificates.MAX_CERTIFICATES; i++) {
            certificates.completed("n" + i + ".example", result, failures, now(), 0);
        }
        assertThat(certificates.use("n0.example", issued)).isPresent();

        certificates.completed("last.example", result, failures, now(), 0);

        assertThat(certificates.states())
                .hasSize(OnDemandCertificates.MAX_CERTIFICATES)
                .extracting(CertificateState::name)
                .contains("n0.example", "last.example")
                .doesNotContain("n1.example");
    }

    private Optional<TlsFiles> find() {
        CompletableFuture<Optional<TlsFiles>> found = orders.find(NAME);
        scheduler.runDue();
        return found.join();
    }

    private void renewIfDue(X509Certificate issued) {
        orders.renewIfDue(NAME, issued);
        scheduler.runDue();
    }

    private X509Certificate stored() {
        return issuers.certificates().read(NAME, now()).orElseThrow().certificate();
    }

    private Instant now() {
        return scheduler.clock().instant();
    }

    private OnDemandOrders start(List<String> names) {
        OnDemandOrders started = new OnDemandOrders(
                issuers.certificates(),
                names,
                name -> CompletableFuture.completedFuture(true),
                MAX_PER_HOUR,
                scheduler.clock(),
                scheduler,
                () -> 0L);
        started.begin(issuers.orders(Map.of(FIRST, first, SECOND, second), () -> 0L, events), scheduler);
        return started;
    }
}
