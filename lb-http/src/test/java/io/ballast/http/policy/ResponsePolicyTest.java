package io.ballast.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.stats.Counters;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.net.Worker;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.transform.BodyOutput;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import io.ballast.net.config.TransportKind;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests policies that change responses, with a transform that replaces each {@code a} by {@code bb}. */
class ResponsePolicyTest {

    private static final byte[] X_OLD = ByteClasses.ascii("x-old");

    private final AtomicInteger turn = new AtomicInteger();
    private final Map<Integer, Integer> bytesByTurn = new ConcurrentHashMap<>();
    private final AtomicInteger released = new AtomicInteger();
    private volatile boolean countsTurns = true;

    private final class Doubling implements BodyTransform {

        @Override
        public void add(ByteBuffer piece, BodyOutput output) {
            bytesByTurn.merge(turn.get(), piece.remaining(), Integer::sum);
            while (piece.hasRemaining()) {
                byte b = piece.get();
                ByteBuffer room = output.room();
                room.put(b == 'a' ? (byte) 'b' : b);
                if (b == 'a') {
                    room.put((byte) 'b');
                }
                output.written(b == 'a' ? 2 : 1);
            }
        }

        @Override
        public void flush(BodyOutput output) {}

        @Override
        public void end(BodyOutput output) {
            output.room().put((byte) '!');
            output.written(1);
        }

        @Override
        public void release() {
            released.incrementAndGet();
        }
    }

    private final class DoublingPolicy implements ResponsePolicy {

        private final boolean changesBody;

        private DoublingPolicy(boolean changesBody) {
            this.changesBody = changesBody;
        }

        @Override
        public Phase phase() {
            return Phase.RESPONSE;
        }

        @Override
        public PolicyDecision evaluate(PolicyExchange exchange, int step) {
            exchange.awaitResponse(step);
            return PolicyDecision.PASS;
        }

        @Override
        public BodyTransform respond(PolicyExchange exchange, int step, ResponseEdit response) {
            response.remove(response.line(X_OLD, 0));
            response.addedLines().appendAscii("X-New: 1\r\n");
            return changesBody ? new Doubling() : null;
        }

        private NamedPolicy named() {
            return new NamedPolicy(
                    "doubling", "test", this, /* dryRun= */ false, new Counters<>(PolicyCounter.class, 2));
        }
    }

    private static Script answer(String body) {
        return Script.answer(
                "HTTP/1.1 200 OK\r\nX-Old: 1\r\nX-Kept: 1\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private static BalancerSetup before(TestBackend backend, NamedPolicy policy) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(policy);
    }

    @ParameterizedTest
    @EnumSource
    void replacesBody(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(answer("banana"));
                TestBalancer balancer =
                        before(backend, new DoublingPolicy(true).named()).start();
                PolicyClient client = version.connect(balancer)) {
            for (int requests = 1; requests <= 2; requests++) {
                PolicyClient.Answer answer = client.post("/", "");

                assertThat(answer.body()).isEqualTo("bbbnbbnbb!");
                assertThat(answer.headers("x-old")).isEmpty();
                assertThat(answer.headers("x-kept")).containsExactly("1");
                assertThat(answer.headers("x-new")).containsExactly("1");
                assertThat(answer.headers("content-length")).isEmpty();
                assertThat(released.get()).isEqualTo(requests);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void changesOnlyHead(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(answer("banana"));
                TestBalancer balancer =
                        before(backend, new DoublingPolicy(false).named()).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/", "");

            assertThat(answer.body()).isEqualTo("banana");
            assertThat(answer.headers("x-old")).isEmpty();
            assertThat(answer.headers("x-new")).containsExactly("1");
            assertThat(answer.headers("content-length")).containsExactly("6");
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneResponseDoesNotHoldTheEventLoop(PolicyVersion version) throws Exception {
        String body = "banana".repeat(200_000);
        try (TestBackend backend = TestBackend.playing(answer(body));
                TestBalancer balancer = before(backend, new DoublingPolicy(true).named())
                        .loops(1)
                        .start();
                PolicyClient client = version.connect(balancer)) {
            countTurns(balancer.workers().all().get(0));

            String changed = client.post("/", "").body();
            countsTurns = false;

            assertThat(changed).isEqualTo(body.replace("a", "bb") + "!");
            // A turn may process one piece when data arrives, and one when its task continues.
            assertThat(bytesByTurn.values()).allMatch(bytes -> bytes <= 2 * BodyTransform.MAX_PIECE_BYTES);
        }
    }

    /** Counts the turns of the event loop with a task that runs in each of them. */
    private void countTurns(Worker worker) {
        worker.eventLoop()
                .schedule(
                        () -> {
                            turn.incrementAndGet();
                            if (countsTurns) {
                                countTurns(worker);
                            }
                        },
                        0,
                        TimeUnit.NANOSECONDS);
    }
}
