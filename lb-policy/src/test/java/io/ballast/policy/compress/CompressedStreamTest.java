package io.ballast.policy.compress;

import static io.ballast.policy.compress.CompressionSetup.before;
import static io.ballast.policy.compress.CompressionSetup.count;
import static io.ballast.policy.compress.CompressionSetup.gzip;
import static io.ballast.policy.compress.CompressionSetup.policy;
import static io.ballast.policy.compress.CompressionSetup.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.config.CompressionConfig;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests compressed responses while they arrive: events, slow clients, disconnects and failing backends. */
class CompressedStreamTest {

    private static final int LARGE_BYTES = 100 * 1024 * 1024;
    private static final int BLOCK_BYTES = 64 * 1024;
    private static final String STREAM =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static String chunk(String data) {
        return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
    }

    @ParameterizedTest
    @EnumSource
    void eachEventIsDecodableAtOnce(HttpVersion version) throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        Script events = connection -> {
            connection.readRequest();
            connection.send(STREAM + chunk("data: one\n\n"));
            connection.await(first).send(chunk("data: two\n\n"));
            connection.await(second).send("0\r\n\r\n");
        };
        try (TestBackend backend = TestBackend.playing(events);
                TestBalancer balancer = before(backend, gzip()).start();
                StreamReader reader = StreamReader.get(version, balancer)) {
            assertThat(reader.read(11)).isEqualTo("data: one\n\n");
            first.countDown();
            assertThat(reader.read(11)).isEqualTo("data: two\n\n");
            second.countDown();
            assertThat(reader.readToEnd()).isZero();
        }
    }

    /** Sends a body of random bytes, which compression does not shorten, so that the client has to read all of them. */
    private static Script large(AtomicLong checksum) {
        return connection -> {
            connection.readRequest();
            connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + LARGE_BYTES + "\r\n\r\n");
            Random random = new Random(3);
            byte[] block = new byte[BLOCK_BYTES];
            CRC32 sum = new CRC32();
            for (int sent = 0; sent < LARGE_BYTES; sent += BLOCK_BYTES) {
                random.nextBytes(block);
                sum.update(block);
                checksum.set(sum.getValue());
                connection.send(block);
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void slowClientStopsBackend(HttpVersion version) throws Exception {
        AtomicLong sent = new AtomicLong();
        try (TestBackend backend = TestBackend.playing(large(sent));
                TestBalancer balancer = before(backend, gzip()).start();
                StreamReader reader = StreamReader.get(version, balancer)) {
            balancer.awaitStandstill(() -> balancer.count(BackendCounter.BYTES_FROM));

            assertThat(balancer.count(BackendCounter.BYTES_FROM)).isLessThan(LARGE_BYTES / 4);
            assertThat(balancer.buffersInUse()).isLessThan(8 * 1024 * 1024);
            assertThat(reader.readToEnd()).isEqualTo(LARGE_BYTES);
            assertThat(reader.checksum()).isEqualTo(sent.get());
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectReleasesEverything(HttpVersion version) throws Exception {
        NamedPolicy policy = policy(oneAtOnce());
        try (TestBackend backend = TestBackend.playing(large(new AtomicLong()));
                TestBalancer balancer = before(backend, policy).loops(1).start()) {
            for (int i = 1; i <= 3; i++) {
                try (StreamReader reader = StreamReader.get(version, balancer)) {
                    reader.read(BLOCK_BYTES);
                    reader.reset();
                }
                balancer.awaitQuiet();
                // The only compressor is available again.
                assertThat(count(policy, CompressionOutcome.COMPRESSED)).isEqualTo(i);
                assertThat(count(policy, CompressionOutcome.BUSY)).isZero();
            }
        } // closing the balancer checks that no buffer is in use
    }

    private static CompressionConfig oneAtOnce() {
        CompressionConfig usual = CompressionConfig.gzip();
        return new CompressionConfig(
                usual.types(),
                usual.encodings(),
                usual.level(),
                usual.brLevel(),
                usual.zstdLevel(),
                usual.minBytes(),
                /* maxActive= */ 1);
    }

    @ParameterizedTest
    @EnumSource
    void cutBodyDoesNotLookComplete(HttpVersion version) throws Exception {
        String half = text(50_000);
        Script cut = Script.answerAndReset(STREAM + chunk(half));
        Script tooShort = Script.answerAndClose(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99999\r\n\r\n" + half);
        for (Script script : new Script[] {cut, tooShort}) {
            try (TestBackend backend = TestBackend.playing(script);
                    TestBalancer balancer = before(backend, gzip()).start();
                    StreamReader reader = StreamReader.get(version, balancer)) {
                assertThat(reader.isCut()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void furtherResponsesAreNotCompressedWhenAllCompressorsAreBusy(HttpVersion version) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        NamedPolicy policy = policy(oneAtOnce());
        Script events = connection -> {
            connection.readRequest();
            connection.send(STREAM + chunk("data: one\n\n"));
            connection.await(end).send("0\r\n\r\n");
        };
        String text = text(5000);
        Script page =
                Script.answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5000\r\n\r\n" + text);
        try (TestBackend backend = TestBackend.playing(events, page);
                TestBalancer balancer = before(backend, policy).loops(1).start();
                StreamReader reader = StreamReader.get(version, balancer)) {
            reader.read(11);

            ReceivedResponseText uncompressed = version.fetch(balancer, "GET", "accept-encoding", "gzip");
            end.countDown();
            reader.readToEnd();
            ReceivedResponseText compressed = version.fetch(balancer, "GET", "accept-encoding", "gzip");

            assertThat(uncompressed.isCompressed()).isFalse();
            assertThat(uncompressed.text()).isEqualTo(text);
            assertThat(uncompressed.headers("vary")).containsExactly("Accept-Encoding");
            assertThat(compressed.isCompressed()).isTrue();
            assertThat(compressed.text()).isEqualTo(text);
            assertThat(count(policy, CompressionOutcome.BUSY)).isOne();
        }
    }
}
