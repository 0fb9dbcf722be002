package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Fuzzes the order of frames, and checks that no input causes an exception in the pipeline. Closing the balancer checks
 * that no buffer or request is left.
 */
class FuzzTest {

    private static final int CONNECTIONS = 400;
    private static final int FRAMES = 60;

    private final ListAppender<ILoggingEvent> errors = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(UnexpectedErrors.class);

    @BeforeEach
    void listen() {
        errors.start();
        logger.addAppender(errors);
    }

    @AfterEach
    void nothingWasThrown() {
        logger.detachAppender(errors);
        assertThat(List.copyOf(errors.list))
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .isEmpty();
    }

    @Test
    void randomFramesLeakNothing() throws Exception {
        SplittableRandom random = new SplittableRandom(2026);
        Script answer = connection -> {
            String request = connection.readRequest();
            if (request.startsWith("GET /cut")) {
                connection
                        .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab")
                        .close();
            } else if (request.startsWith("GET /chunks")) {
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n");
            } else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n" + "x".repeat(40_000));
            }
        };
        try (TestBackend backend = TestBackend.playing(answer);
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .respond("/fixed", 200, "fixed")
                        .loops(1)
                        .start()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                try (Http2Client client = Http2Client.connect(balancer.port(), 4, random.nextInt(3) * 1000)) {
                    client.keepingWindows();
                    for (int frame = 0; frame < FRAMES && client.trySend(frame(random)); frame++) {
                        if (random.nextInt(20) == 0) {
                            balancer.goRound();
                        }
                    }
                    if (random.nextBoolean()) {
                        client.trySync();
                    }
                    if (random.nextBoolean()) {
                        client.reset();
                    }
                }
            }
            balancer.awaitQuiet();
            assertThat(balancer.count(ListenerCounter.HTTP2_CONNECTIONS)).isEqualTo(CONNECTIONS);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isPositive();
        }
    }

    /** Mostly valid frames, since an invalid one often ends the connection. */
    private static byte[] frame(SplittableRandom random) {
        int stream = 1 + 2 * random.nextInt(12);
        boolean ends = random.nextInt(3) == 0;
        return switch (random.nextInt(15)) {
            case 0, 1, 2, 3 -> FrameBytes.headers(stream, ends, head(random));
            case 4, 5 -> FrameBytes.data(stream, ends, new byte[random.nextInt(3) * random.nextInt(5000)]);
            case 6 -> FrameBytes.frame(Frame.DATA, Frame.PADDED, stream, (byte) random.nextInt(4), (byte) 1, (byte) 2);
            case 7 -> FrameBytes.windowUpdate(random.nextBoolean() ? 0 : stream, 1 + random.nextInt(20_000));
            case 8 -> FrameBytes.windowUpdate(stream, random.nextInt(4) == 0 ? random.nextInt() : 70_000);
            case 9 -> FrameBytes.reset(stream, random.nextInt(14));
            case 10 -> FrameBytes.settings(4, random.nextInt(70_000), 1, random.nextInt(5000));
            case 11 -> FrameBytes.priority(stream);
            case 12 -> FrameBytes.headers(stream, /* ends= */ true, FrameBytes.block("x-trailer", "1"));
            case 13 -> split(stream, ends, head(random));
            default -> random.nextInt(4) == 0 ? anything(random, stream) : FrameBytes.ping(7);
        };
    }

    private static byte[] head(SplittableRandom random) {
        byte[] head =
                switch (random.nextInt(7)) {
                    case 0 -> Http2Client.head("GET", "/fixed");
                    case 1 -> Http2Client.head("GET", "/cut");
                    case 2 -> Http2Client.head("GET", "/chunks");
                    case 3 -> Http2Client.head("HEAD", "/");
                    case 4 -> Http2Client.head("X".repeat(random.nextInt(3)), "/");
                    default -> Http2Client.head("POST", "/");
                };
        return switch (random.nextInt(8)) {
            case 0 -> FrameBytes.join(head, FrameBytes.block("content-length", String.valueOf(random.nextInt(9000))));
            case 1 -> FrameBytes.join(head, FrameBytes.block("content-length", "x"));
            case 2 -> FrameBytes.join(head, FrameBytes.block("expect", "100-continue"));
            default -> head;
        };
    }

    private static byte[] split(int stream, boolean ends, byte[] block) {
        return FrameBytes.join(
                FrameBytes.frame(Frame.HEADERS, ends ? Frame.END_STREAM : 0, stream, block),
                FrameBytes.frame(Frame.CONTINUATION, Frame.END_HEADERS, stream));
    }

    private static byte[] anything(SplittableRandom random, int stream) {
        byte[] payload = new byte[random.nextInt(40)];
        random.nextBytes(payload);
        return FrameBytes.frame(random.nextInt(12), random.nextInt(256), random.nextInt(3) * stream, payload);
    }
}
