package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.Limits;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests bodies of a wrong length, padding, and frames after the body. */
class RequestBodyTest {

    @ParameterizedTest
    @CsvSource({"5, 4", "5, 6", "0, 1", "5, 0", "100000, 3"})
    void bodyLengthMismatchIsMalformed(String announced, int length) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.newStream();
            // The frames are sent in one write. Otherwise, a request with a length of 0 may be answered before its data
            // arrives.
            client.send(
                    FrameBytes.headers(
                            stream,
                            /* ends= */ false,
                            FrameBytes.join(
                                    Http2Client.head("POST", "/"), FrameBytes.block("content-length", announced))),
                    FrameBytes.data(stream, /* ends= */ true, new byte[length]));

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
            assertThat(backend.requests()).isEmpty();
            assertThat(balancer.count(Failure.BAD_REQUEST)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(1);
            assertThat(client.read(client.get("/")).body()).isEqualTo("ok");
        }
    }

    @Test
    void streamedBodyBeyondLimitIsCut() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/", "content-length", "5");
            client.send(FrameBytes.data(stream, /* ends= */ false, (byte) 'a'));
            balancer.await("it is on its way", () -> backend.bytes() > 0);
            client.send(FrameBytes.data(stream, /* ends= */ false, new byte[5]));

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.BAD_REQUEST)).isEqualTo(1);
        }
    }

    @Test
    void tooLongBodyReachesNoBackend() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .limits(new Limits().bodyBytes(10))
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.newStream();
            client.send(
                    FrameBytes.headers(stream, /* ends= */ false, Http2Client.head("POST", "/")),
                    FrameBytes.data(stream, /* ends= */ false, new byte[11]));

            assertThat(client.read(stream).status()).isEqualTo(413);
            client.sync();
            assertThat(backend.connections()).isZero();
            assertThat(balancer.count(Failure.REQUEST_TOO_LARGE)).isEqualTo(1);
        }
    }

    @Test
    void missingDeclaredBodyIsMalformed() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.get("/", "content-length", "1");

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
            assertThat(backend.connections()).isZero();
        }
    }

    @Test
    void lengthIsResetForEachRequest() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int first = client.post("/", "content-length", "2");
            client.upload(first, /* ends= */ true, new byte[2]);
            client.read(first);
            int faulty = client.post("/", "content-length", "x");
            client.send(FrameBytes.data(faulty, /* ends= */ true, new byte[7]));

            Http2Response answer = client.read(faulty);

            client.sync();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(client.count(Frame.RST_STREAM)).isZero();
        }
    }

    @Test
    void bodyMayEndBeforeConnect() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, ""), Script.echo());
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .maxInFlight(1)
                        .queue(10, TestTimeout.LIMIT)
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int first = client.get("/");
            backend.nextRequest();
            int second = client.post("/second");
            client.sync().send(FrameBytes.data(second, /* ends= */ true)).sync();
            answer.countDown();

            assertThat(client.read(first).status()).isEqualTo(200);
            assertThat(client.read(second).body()).startsWith("POST /second ").endsWith("\r\n\r\n0\r\n\r\n");
        }
    }

    @Test
    void trailersFollowChunks() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/");
            client.send(
                    FrameBytes.data(stream, /* ends= */ false, Bodies.bytes("hi")),
                    FrameBytes.headers(stream, /* ends= */ true, FrameBytes.block("x-sum", "1", "y", "")));

            assertThat(client.read(stream).status()).isEqualTo(200);
            assertThat(backend.nextRequest()).endsWith("\r\n\r\n2\r\nhi\r\n0\r\nx-sum: 1\r\ny: \r\n\r\n");
        }
    }

    @Test
    void trailersAfterKnownLengthAreDropped() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/", "content-length", "2");
            client.send(
                    FrameBytes.data(stream, /* ends= */ false, Bodies.bytes("hi")),
                    FrameBytes.headers(stream, /* ends= */ true, FrameBytes.block("x-sum", "1")));

            assertThat(client.read(stream).body()).endsWith("\r\n\r\nhi");
            assertThat(client.read(client.get("/")).body()).startsWith("GET / ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "':path', '/'",
        "':x', 'y'",
        "'X', 'y'",
        "'connection', 'close'",
        "'transfer-encoding', 'chunked'",
        "'content-length', '1'",
        "'host', 'b'",
        "'x', 'a\r\nb: c'",
        "'x', 'a\0'",
        "'x y', 'a'",
        "'', 'a'",
        "'te', 'trailers'",
        "'authorization', 'x'",
        "'cookie', 'x'",
        "'x-forwarded-for', '1.1.1.1'",
        "'x_forwarded_for', '1.1.1.1'"
    })
    void framingTrailersAreMalformed(String name, String value) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/");
            client.send(
                    FrameBytes.data(stream, /* ends= */ false, Bodies.bytes("hi")),
                    FrameBytes.headers(stream, /* ends= */ true, FrameBytes.block("a", "b", name, value)));

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
            assertThat(client.read(client.get("/")).body()).isEqualTo("ok");
            assertThat(backend.requests()).hasSize(1);
        }
    }

    @Test
    void secondHeadWithoutEndOfStreamIsMalformed() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/");
            client.send(FrameBytes.headers(stream, /* ends= */ false, FrameBytes.block("a", "b")));

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
        }
    }

    @Test
    void paddingIsRemovedAndCredited() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/", "content-length", "2000");
            byte[] padded = new byte[256];
            Arrays.fill(padded, (byte) 'p');
            padded[0] = (byte) 254;
            padded[1] = 'd';
            for (int i = 0; i < 2000; i++) { // the frames together exceed the initial window
                client.await("a window", () -> client.mayUpload(stream) >= padded.length);
                client.spend(stream, padded.length);
                client.send(FrameBytes.frame(
                        Frame.DATA, Frame.PADDED | (i == 1999 ? Frame.END_STREAM : 0), stream, padded));
            }

            assertThat(client.read(stream).body()).endsWith("\r\n\r\n" + "d".repeat(2000));
        }
    }

    @Test
    void bodyBeyondLimitCauses413() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .limits(new Limits().bodyBytes(1000))
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            assertThat(client.read(client.post("/", "content-length", "1001")).status())
                    .isEqualTo(413);
            int stream = client.post("/");
            client.send(FrameBytes.data(stream, /* ends= */ false, new byte[900]));
            client.send(FrameBytes.data(stream, /* ends= */ false, new byte[900]));
            assertThat(client.read(stream).status()).isEqualTo(413);
            assertThat(balancer.count(Failure.REQUEST_TOO_LARGE)).isEqualTo(2);
        }
    }

    private static TestBalancer balancer(TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).loops(1).start();
    }
}
