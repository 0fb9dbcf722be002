package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.wire.Frame;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests protocol errors of backends in HTTP/2 checks, using gRPC. */
class Http2CheckTest {

    /** The stream of the connection's only request. */
    private static final int STREAM = 1;

    private static final byte[] OK = FrameBytes.headers(STREAM, /* ends= */ false, FrameBytes.block(":status", "200"));
    private static final byte[] SERVING = FrameBytes.join(
            FrameBytes.data(
                    STREAM, /* ends= */ false, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 2, (byte) 8, (byte) 1),
            trailers(/* ends= */ true));
    private static final byte[] HINT =
            FrameBytes.headers(STREAM, /* ends= */ false, FrameBytes.block(":status", "103"));

    /** A reference to the newest entry of the dynamic table. */
    private static final byte[] REFERENCE = {(byte) 0xbe};

    private static final int SETTINGS_BUT_THE_FIRST = 15;

    @Test
    void interpretsResponseFields() throws Exception {
        assertThat(of(head(15), SERVING).text()).as("16 fields of 4 KB").isEqualTo("SERVING");
        assertThat(of(head(16), SERVING).text())
                .as("17 fields of 4 KB")
                .isEqualTo("the response head is larger than 64 KiB");
        assertThat(of(head(10_000), SERVING).text()).isEqualTo("the response head is larger than 64 KiB");
    }

    @Test
    void acceptsTrailers() throws Exception {
        byte[] large = FrameBytes.headers(
                STREAM,
                /* ends= */ true,
                FrameBytes.join(FrameBytes.block("grpc-status", "0"), entry(), FrameBytes.repeat(16, REFERENCE)));

        assertThat(of(OK, large).text()).isEqualTo("the response head is larger than 64 KiB");
    }

    @Test
    void informationalResponsesAreLimited() throws Exception {
        byte[] max = FrameBytes.repeat(InformationalResponseCounter.MAX, HINT);

        assertThat(of(max, OK, SERVING).text()).isEqualTo("SERVING");
        assertThat(of(max, HINT, OK, SERVING).text()).isEqualTo("more than 100 informational responses");
    }

    @Test
    void invalidHeaderBlocksFail() throws Exception {
        byte[] lastHint = FrameBytes.headers(STREAM, /* ends= */ true, FrameBytes.block(":status", "103"));

        assertThat(of(lastHint).text()).isEqualTo("not an HTTP/2 response");
        assertThat(of(OK, trailers(/* ends= */ false)).text()).isEqualTo("not an HTTP/2 response");
    }

    @Test
    void settingsAcknowledgementsAreLimited() throws Exception {
        byte[] max = FrameBytes.repeat(SETTINGS_BUT_THE_FIRST, FrameBytes.settings());

        assertThat(of(max, OK, SERVING).text()).isEqualTo("SERVING");
        assertThat(of(max, FrameBytes.settings(), OK, SERVING).text()).isEqualTo("more than 16 SETTINGS frames");
    }

    @Test
    void settingsAreAcknowledged() throws Exception {
        assertThat(run(Http2Script.serving((connection, request) -> {
                            connection.send(FrameBytes.settings()).await("both", () -> connection.settingsAcks() == 2);
                            connection.send(OK, SERVING);
                        }))
                        .text())
                .isEqualTo("SERVING");
    }

    /** The check needs no limit for PING frames, because it keeps no state for them. */
    @Test
    void pingsAreNotAnswered() throws Exception {
        byte[] many = FrameBytes.repeat(1000, FrameBytes.ping(1));

        assertThat(run(Http2Script.serving((connection, request) -> {
                            connection
                                    .send(many, FrameBytes.settings())
                                    .await("the other", () -> connection.settingsAcks() == 2);
                            String text = connection.count(Frame.PING) == 0 ? "0" : "1";
                            connection
                                    .send(OK)
                                    .data(request, /* ends= */ false, "\0\0\0\0\2\u0008\1")
                                    .head(request, /* ends= */ true, "grpc-status", text);
                        }))
                        .text())
                .isEqualTo("SERVING");
    }

    private static byte[] head(int references) {
        return FrameBytes.headers(
                STREAM,
                /* ends= */ false,
                FrameBytes.join(FrameBytes.block(":status", "200"), entry(), FrameBytes.repeat(references, REFERENCE)));
    }

    /** A field of about 4,000 bytes that is added to the dynamic table. */
    private static byte[] entry() {
        byte[] entry = FrameBytes.block("x", "y".repeat(4000));
        entry[0] = 0x40;
        return entry;
    }

    private static byte[] trailers(boolean ends) {
        return FrameBytes.headers(STREAM, ends, FrameBytes.block("grpc-status", "0"));
    }

    private static ProbeResult of(byte[]... frames) throws Exception {
        return run(Http2Script.serving((connection, request) -> connection.send(frames)));
    }

    private static ProbeResult run(Http2Script script) throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(script)) {
            return CheckRun.of(backend.address(), new HealthCheck.Grpc("", Optional.empty(), CheckTls.OF_POOL));
        }
    }
}
