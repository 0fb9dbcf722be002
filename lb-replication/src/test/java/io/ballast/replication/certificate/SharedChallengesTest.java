package io.ballast.replication.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.acme.challenge.ChallengeResponse;
import io.ballast.acme.testing.TestCertificates;
import io.ballast.cluster.observation.Observation;
import io.ballast.replication.certificate.ScriptedCluster.Node;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests how a response to a challenge reaches all nodes before the certificate authority is asked to verify it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SharedChallengesTest {

    private static final String NAME = "shop.example.com";
    private static final ChallengeResponse FILE = new ChallengeResponse.HttpFile(NAME, "token", "token.thumbprint");

    /** The longest wait in tests in which a node never serves the response. */
    private static final Duration SHORT = Duration.ofMillis(50);

    @TempDir
    private Path directory;

    private ScriptedCluster cluster;
    private Node one;
    private Node two;
    private Node three;

    @BeforeEach
    void start() throws Exception {
        start(Duration.ofMinutes(1));
    }

    private void start(Duration maxWait) throws Exception {
        cluster = new ScriptedCluster(directory, maxWait);
        one = cluster.start("n1");
        two = cluster.start("n2");
        three = cluster.start("n3");
        cluster.elect("n1");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Publishes a response on a thread of its own, as an order does. */
    private CompletableFuture<Void> publish(ChallengeResponse response) {
        CompletableFuture<Void> published = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        one.responder.publish(response);
                        published.complete(null);
                    } catch (IOException | InterruptedException | RuntimeException e) {
                        published.completeExceptionally(e);
                    }
                },
                ScriptedCluster.ORDERING);
        thread.setDaemon(true);
        thread.start();
        return published;
    }

    private void runUntilDone(CompletableFuture<Void> published) {
        while (!published.isDone()) {
            cluster.run();
            Thread.onSpinWait();
        }
    }

    @Test
    void responseIsServedByAllNodesWhenTheOrderContinues() {
        CompletableFuture<Void> published = publish(FILE);
        runUntilDone(published);

        assertThat(published).isCompleted();
        assertThat(one.served).containsExactly(FILE);
        assertThat(two.served).containsExactly(FILE);
        assertThat(three.served).containsExactly(FILE);

        one.responder.withdraw(FILE);
        cluster.run();
        assertThat(one.served).isEmpty();
        assertThat(two.served).isEmpty();
        assertThat(three.served).isEmpty();
        assertThat(cluster.facts.keySet()).noneMatch(key -> key.startsWith(SharedChallenges.PREFIX));
    }

    @Test
    void everyKindOfResponseIsServedByTheOtherNodes() {
        ChallengeResponse record = new ChallengeResponse.TextRecord("a.example.com", "digest");
        ChallengeResponse handshake = new ChallengeResponse.Handshake(
                "b.example.com",
                TestCertificates.create(
                        "b.example.com", cluster.scheduler.clock().instant(), Duration.ofDays(1)));

        runUntilDone(publish(record));
        runUntilDone(publish(handshake));

        assertThat(two.served).containsExactly(record, handshake);
    }

    @Test
    void orderWaitsForANodeThatDoesNotServeTheResponseYet() {
        ChallengeRows rows = new ChallengeRows();
        rows.connected(Set.of("n2"));

        CompletableFuture<Set<String>> missing = CompletableFuture.supplyAsync(() -> {
            try {
                return rows.awaitServed("value", Duration.ofMinutes(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        ChallengeRows other = new ChallengeRows();
        other.connect(
                (topic, content) -> rows.changed(List.of(new Observation("n2", 1, 1, topic, content)), List.of()));
        other.publish(List.of("another value"));
        assertThat(missing).isNotDone();

        other.publish(List.of("another value", "value"));

        assertThat(missing).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(Set.of());
    }

    @Test
    void orderContinuesWithoutANodeThatDoesNotAnswer() throws Exception {
        start(SHORT);
        three.silence();

        CompletableFuture<Void> published = publish(FILE);
        runUntilDone(published);

        cluster.run();
        assertThat(published).isCompleted();
        assertThat(two.served).containsExactly(FILE);
    }

    @Test
    void withoutMajorityTheOrderFailsBeforeTheAuthorityIsTold() {
        cluster.loseMajority();

        CompletableFuture<Void> published = publish(FILE);
        runUntilDone(published);

        assertThat(published)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("needs a connection to a majority of its voters");
        assertThat(two.served).isEmpty();
    }

    @Test
    void responseOfALostNodeEnds() {
        runUntilDone(publish(FILE));

        cluster.elect("n2");
        cluster.advance(SharedChallenges.LIFE.plusSeconds(2));

        assertThat(two.served).isEmpty();
        assertThat(three.served).isEmpty();
        assertThat(cluster.facts.keySet()).noneMatch(key -> key.startsWith(SharedChallenges.PREFIX));
    }

    @Test
    void responseOfANodeWithAnotherKeyIsNotServed() throws Exception {
        start(SHORT);
        Node stranger = cluster.start("n4", "cd".repeat(32));

        runUntilDone(publish(FILE));
        cluster.run();

        assertThat(stranger.served).isEmpty();
        assertThat(two.served).containsExactly(FILE);
    }
}
