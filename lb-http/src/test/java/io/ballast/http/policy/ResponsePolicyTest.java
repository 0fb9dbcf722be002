package io.ballast.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.stats.Counters;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.net.Worker;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.http.testing.TestSource;
import io.ballast.http.transform.BodyOutput;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import io.ballast.net.config.TransportKind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

    /** Adds its name to a header and to the end of each body, or only records the body. */
    private static final class Suffix implements ResponsePolicy {

        private final String name;
        private final Phase phase;
        private final boolean records;
        private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();

        private Suffix(String name, Phase phase, boolean records) {
            this.name = name;
            this.phase = phase;
            this.records = records;
        }

        @Override
        public Phase phase() {
            return phase;
        }

        @Override
        public PolicyDecision evaluate(PolicyExchange exchange, int step) {
            exchange.awaitResponse(step);
            exchange.awaitResponse(step);
            return PolicyDecision.PASS;
        }

        @Override
        public BodyTransform respond(PolicyExchange exchange, int step, ResponseEdit response) {
            int line = response.line(X_OLD, 0);
            byte[] bytes = response.head().bytes;
            String value = new String(
                    bytes,
                    response.head().valueStart[line],
                    response.head().valueEnd[line] - response.head().valueStart[line],
                    StandardCharsets.US_ASCII);
            response.remove(line);
            response.addedLines().appendAscii("X-Old: " + value + name + "\r\n");
            return new BodyTransform() {
                @Override
                public void add(ByteBuffer piece, BodyOutput output) {
                    while (piece.hasRemaining()) {
                        byte next = piece.get();
                        recorded.write(next);
                        output.room().put(next);
                        output.written(1);
                    }
                }

                @Override
                public void flush(BodyOutput output) {}

                @Override
                public void end(BodyOutput output) {
                    if (!records) {
                        output.room().put((byte) name.charAt(0));
                        output.written(1);
                    }
                }

                @Override
                public boolean keepsLength() {
                    return records;
                }

                @Override
                public void release() {
                    recorded.write('.');
                }
            };
        }

        private NamedPolicy named() {
            return new NamedPolicy(name, "test", this, /* dryRun= */ false, new Counters<>(PolicyCounter.class, 2));
        }
    }

    private static Script answer(String body) {
        return Script.answer(raw(body));
    }

    private static String raw(String body) {
        return "HTTP/1.1 200 OK\r\nX-Old: 1\r\nX-Kept: 1\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static BalancerSetup before(TestBackend backend, NamedPolicy... policies) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(policies);
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
    void policiesSeeResponseInOrderOfItsWay(PolicyVersion version) throws Exception {
        Suffix headers = new Suffix("h", Phase.RESPONSE_HEADERS, /* records= */ false);
        Suffix cache = new Suffix("c", Phase.CACHE, /* records= */ true);
        Suffix filter = new Suffix("f", Phase.FILTER, /* records= */ false);
        Suffix last = new Suffix("l", Phase.RESPONSE, /* records= */ false);
        String body = "0123456789".repeat(5000);
        try (TestBackend backend = TestBackend.playing(answer(body));
                TestBalancer balancer = before(backend, headers.named(), last.named(), cache.named(), filter.named())
                        .start();
                PolicyClient client = version.connect(balancer)) {
            for (int requests = 1; requests <= 2; requests++) {
                PolicyClient.Answer answer = client.post("/", "");

                assertThat(answer.body()).isEqualTo(body + "fhl");
                assertThat(answer.headers("x-old")).containsExactly("1fchl");
                assertThat(answer.headers("x-kept")).containsExactly("1");
                assertThat(answer.headers("content-length")).isEmpty();
                assertThat(cache.recorded.toString(StandardCharsets.US_ASCII))
                        .isEqualTo((body + "f.").repeat(requests));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void recorderKeepsFraming(PolicyVersion version) throws Exception {
        Suffix cache = new Suffix("c", Phase.CACHE, /* records= */ true);
        Suffix second = new Suffix("s", Phase.RESPONSE, /* records= */ true);
        String chunked = "HTTP/1.1 200 OK\r\nX-Old: 1\r\nTransfer-Encoding: chunked\r\n\r\n";
        String body = "0123456789".repeat(5000);
        try (TestBackend backend = TestBackend.playing(answer(body));
                TestBackend coding = TestBackend.playing(Script.answer(chunked + "3\r\nabc\r\n0\r\n\r\n"));
                TestBalancer balancer =
                        before(backend, cache.named(), second.named()).start();
                TestBalancer balancer2 = before(coding, cache.named()).start();
                PolicyClient client = version.connect(balancer);
                PolicyClient client2 = version.connect(balancer2)) {
            PolicyClient.Answer answer = client.post("/", "");

            assertThat(answer.body()).isEqualTo(body);
            assertThat(answer.headers("content-length")).containsExactly("50000");
            assertThat(second.recorded.toString(StandardCharsets.US_ASCII)).isEqualTo(body + ".");
            assertThat(client.post("/", "").body()).isEqualTo(body);
            assertThat(client2.post("/", "").body()).isEqualTo("abc");
            assertThat(client2.post("/", "").body()).isEqualTo("abc");
        }
    }

    @ParameterizedTest
    @EnumSource
    void changesLocalResponse(PolicyVersion version) throws Exception {
        TestPolicy cache = new TestPolicy(
                "cache",
                Phase.CACHE,
                exchange -> new LocalResponse(
                        new TestSource("HTTP/1.1 200 OK\r\nX-Old: 1\r\nContent-Length: 100000\r\n", 100_000), "hit"));
        Suffix filter = new Suffix("f", Phase.FILTER, /* records= */ false);
        Suffix last = new Suffix("l", Phase.RESPONSE, /* records= */ false);
        try (TestBackend backend = TestBackend.playing(answer("unused"));
                TestBalancer balancer = before(backend, filter.named(), cache.named(), last.named())
                        .start();
                PolicyClient client = version.connect(balancer)) {
            for (int requests = 1; requests <= 2; requests++) {
                PolicyClient.Answer answer = client.post("/", "");

                assertThat(answer.headers("x-old")).containsExactly("1l");
                assertThat(answer.body()).isEqualTo(TestSource.body(100_000) + "l");
            }
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
            // A turn of the event loop may process data twice: when it arrives, and when the task of the transform
            // continues.
            assertThat(bytesByTurn.values()).allMatch(bytes -> bytes <= 2 * BodyTransform.MAX_TURN_BYTES);
        }
    }

    /** A compressor that handles a whole body at once keeps its state in the CPU caches. */
    @ParameterizedTest
    @EnumSource
    void bodyOfKnownLengthIsTransformedAtOnce(PolicyVersion version) throws Exception {
        String body = "banana".repeat(3_000);
        Script inTwoParts = connection -> {
            connection.readRequest();
            String raw = raw(body);
            connection.send(raw.substring(0, raw.length() / 2));
            int sent = turn.get();
            while (turn.get() < sent + 3) { // in its next turn, the event loop reads the data that has arrived
                Thread.onSpinWait();
            }
            connection.send(raw.substring(raw.length() / 2));
        };
        try (TestBackend backend = TestBackend.playing(inTwoParts);
                TestBalancer balancer = before(backend, new DoublingPolicy(true).named())
                        .loops(1)
                        .start();
                PolicyClient client = version.connect(balancer)) {
            countTurns(balancer.workers().all().get(0));

            String changed = client.post("/", "").body();
            countsTurns = false;

            assertThat(changed).isEqualTo(body.replace("a", "bb") + "!");
            assertThat(bytesByTurn.values()).containsExactly(body.length());
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
