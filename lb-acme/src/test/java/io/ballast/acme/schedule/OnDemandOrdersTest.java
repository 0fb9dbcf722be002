package io.ballast.acme.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.acme.order.OrderException;
import io.ballast.acme.state.CertificateStore;
import io.ballast.acme.testing.ScriptedClient;
import io.ballast.core.config.TlsFiles;
import io.ballast.core.testing.ManualScheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnDemandOrdersTest {

    private static final String NAME = "shop.example.com";
    private static final int MAX_PER_HOUR = 3;

    @TempDir
    private Path dataDir;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedClient client = new ScriptedClient(scheduler.clock());
    private final List<String> asked = new ArrayList<>();
    private final RecordedEvents events = new RecordedEvents();
    private CompletableFuture<Boolean> answer = CompletableFuture.completedFuture(true);
    private TestIssuers issuers;
    private CertificateStore store;
    private OnDemandOrders orders;

    @BeforeEach
    void open() {
        issuers = new TestIssuers(dataDir, scheduler.clock(), "https://ca.example/dir");
        store = issuers.store("ca.example");
        orders = start();
    }

    @Test
    void permittedNameIsOrderedOnceForAllClients() {
        CompletableFuture<Optional<TlsFiles>> first = orders.find(NAME);
        CompletableFuture<Optional<TlsFiles>> second = orders.find(NAME);
        assertThat(first).isNotDone();

        scheduler.runDue();

        assertThat(first).isCompletedWithValue(Optional.of(store.directory().tlsFiles(NAME)));
        assertThat(second).isCompleted();
        assertThat(asked).containsExactly(NAME);
        assertThat(client.orders()).containsExactly(NAME);
        assertThat(events.all()).containsExactly("ca.example issued " + NAME);
        assertThat(orders.count(OnDemandCounter.ISSUED)).isEqualTo(1);
    }

    @Test
    void storedCertificateIsUsedWithoutPermissionAndWithoutOwnership() {
        find(NAME);
        orders = start();
        orders.stop();
        answer = CompletableFuture.completedFuture(false);

        assertThat(find(NAME)).isPresent();
        assertThat(asked).hasSize(1);
        assertThat(client.orders()).hasSize(1);
    }

    @Test
    void expiredCertificateIsOrderedAgain() {
        find(NAME);
        scheduler.advance(Duration.ofDays(91));

        assertThat(find(NAME)).isPresent();

        assertThat(asked).hasSize(2);
        assertThat(client.orders()).hasSize(2);
    }

    @Test
    void refusedNameIsAskedForAgainAfterFiveMinutes() {
        answer = CompletableFuture.completedFuture(false);

        assertThat(find(NAME)).isEmpty();
        assertThat(orders.find(NAME)).isCompletedWithValue(Optional.empty());
        scheduler.advance(OnDemandOrders.REFUSAL.minusSeconds(1));
        find(NAME);
        assertThat(asked).hasSize(1);

        scheduler.advance(Duration.ofSeconds(1));
        answer = CompletableFuture.completedFuture(true);
        assertThat(find(NAME)).isPresent();
        assertThat(orders.count(OnDemandCounter.REFUSED)).isEqualTo(1);
    }

    @Test
    void noAnswerIsNoPermission() {
        answer = CompletableFuture.failedFuture(new IOException("refused connection"));

        assertThat(find(NAME)).isEmpty();
        find(NAME);

        assertThat(asked).hasSize(1);
        assertThat(client.orders()).isEmpty();
        assertThat(orders.count(OnDemandCounter.UNANSWERED)).isEqualTo(1);
        scheduler.advance(OnDemandOrders.NO_ANSWER);
        answer = CompletableFuture.completedFuture(true);
        assertThat(find(NAME)).isPresent();
    }

    @Test
    void failedOrderIsNotRepeatedSoonEvenAfterRestart() {
        client.refuse(NAME, new OrderException("unreachable"));
        assertThat(find(NAME)).isEmpty();
        orders = start();
        client.accept(NAME);

        assertThat(find(NAME)).isEmpty();
        scheduler.advance(Duration.ofMinutes(4));
        assertThat(find(NAME)).isEmpty();
        assertThat(client.orders()).hasSize(1);

        scheduler.advance(Duration.ofMinutes(3));
        assertThat(find(NAME)).isPresent();
        assertThat(events.all())
                .containsExactly("ca.example failed " + NAME + " unreachable", "ca.example issued " + NAME);
    }

    @Test
    void boundsOrdersInAnHour() {
        for (int i = 0; i < MAX_PER_HOUR; i++) {
            assertThat(find("n" + i + ".example.com")).isPresent();
        }

        assertThat(find(NAME)).isEmpty();
        assertThat(orders.count(OnDemandCounter.DROPPED)).isEqualTo(1);

        scheduler.advance(Duration.ofMinutes(61));
        assertThat(find(NAME)).isPresent();
    }

    @Test
    void boundsWaitingNames() {
        answer = new CompletableFuture<>();
        for (int i = 0; i < OnDemandOrders.MAX_PENDING; i++) {
            orders.find("n" + i + ".example.com");
        }
        scheduler.runDue();

        assertThat(orders.find(NAME)).isCompletedWithValue(Optional.empty());
        assertThat(asked).hasSize(OnDemandOrders.MAX_PENDING);

        answer.complete(false);
        answer = CompletableFuture.completedFuture(true);
        scheduler.runDue();
        assertThat(find(NAME)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "192.0.2.1",
                "2001:db8::1",
                "../../etc/passwd",
                "a..example",
                "-a.example",
                "a_b.example",
                "a.example/..",
                "*.example.com",
                "a.example\n"
            })
    void textThatIsNoHostNameIsNotAskedFor(String text) {
        assertThat(orders.find(text)).isCompletedWithValue(Optional.empty());
        assertThat(asked).isEmpty();
    }

    @Test
    void longNameIsNotAskedFor() {
        assertThat(orders.find("a.".repeat(126) + "ab")).isCompletedWithValue(Optional.empty());
    }

    @Test
    void fullQueueOfFilesDropsName() {
        OnDemandOrders full = new OnDemandOrders(
                issuers.certificates(),
                issuers.names(),
                this::answer,
                MAX_PER_HOUR,
                scheduler.clock(),
                task -> {
                    throw new RejectedExecutionException();
                },
                () -> 0L);

        assertThat(full.find(NAME)).isCompletedWithValue(Optional.empty());
        assertThat(full.find(NAME)).isCompletedWithValue(Optional.empty());
        assertThat(full.count(OnDemandCounter.DROPPED)).isEqualTo(2);
    }

    @Test
    void certificateInUseIsRenewedAtTwoThirds() {
        find(NAME);
        X509Certificate first = store.read(NAME).orElseThrow().certificate();

        scheduler.advance(Duration.ofDays(59));
        orders.renewIfDue(NAME, first);
        scheduler.runDue();
        assertThat(client.orders()).hasSize(1);

        scheduler.advance(Duration.ofDays(2));
        orders.renewIfDue(NAME, first);
        scheduler.runDue();
        assertThat(client.orders()).hasSize(2);
        assertThat(client.replaced()).containsExactly(first);
        assertThat(store.read(NAME).orElseThrow().certificate()).isNotEqualTo(first);
    }

    @Test
    void interruptedOrderIsNoFailure() {
        client.interrupt(true);

        assertThat(find(NAME)).isEmpty();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(store.failures(NAME).count()).isZero();
        assertThat(events.all()).isEmpty();
    }

    @Test
    void warningsAreLimited() {
        WarningInterval interval = new WarningInterval();
        Instant now = scheduler.clock().instant();

        assertThat(interval.isDue(now)).isTrue();
        assertThat(interval.isDue(now.plusSeconds(9))).isFalse();
        assertThat(interval.isDue(now.plusSeconds(10))).isTrue();
    }

    @Test
    void oldestRefusalIsDroppedFirst() {
        RefusedNames refused = new RefusedNames();
        Instant now = scheduler.clock().instant();
        for (int i = 0; i <= RefusedNames.MAX_NAMES; i++) {
            refused.add("n" + i, now.plusSeconds(10));
        }

        assertThat(refused.contains("n0", now)).isFalse();
        assertThat(refused.contains("n1", now)).isTrue();
        assertThat(refused.contains("n1", now.plusSeconds(10))).isFalse();
    }

    private Optional<TlsFiles> find(String name) {
        CompletableFuture<Optional<TlsFiles>> found = orders.find(name);
        scheduler.runDue();
        assertThat(found).isDone();
        return found.join();
    }

    private CompletableFuture<Boolean> answer(String name) {
        asked.add(name);
        return answer;
    }

    private OnDemandOrders start() {
        OnDemandOrders started = new OnDemandOrders(
                issuers.certificates(),
                issuers.names(),
                this::answer,
                MAX_PER_HOUR,
                scheduler.clock(),
                scheduler,
                () -> 0L);
        started.begin(issuers.orders(Map.of("ca.example", client), () -> 0L, events), scheduler);
        return started;
    }
}
