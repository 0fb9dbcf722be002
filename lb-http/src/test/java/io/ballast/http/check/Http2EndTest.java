package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BodyCheck;
import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.HostPort;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.testing.TestCertificate;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that HTTP/2 checks close streams and connections gracefully, regardless of how much of the response body of 20
 * KB has arrived.
 */
class Http2EndTest {

    private static final int STREAM = 1;
    private static final byte[] HALF = new byte[10 * 1024];

    private enum Kind {
        GRPC,
        GRPC_TLS,
        HTTP_TLS
    }

    /** Frames that the backend received after its response head was evaluated. */
    private final CompletableFuture<List<String>> seen = new CompletableFuture<>();

    private final CountDownLatch evaluated = new CountDownLatch(1);

    @ParameterizedTest
    @EnumSource(Kind.class)
    void readsRestOfResponse(Kind kind) throws Exception {
        play(kind, connection -> {
            connection.send(FrameBytes.data(STREAM, /* ends= */ false, HALF));
            evaluated.await();
            connection.send(FrameBytes.data(STREAM, /* ends= */ true, HALF));
            return connection.framesToTheEnd();
        });

        assertThat(seen.get()).as("no reset of the stream or of the connection").containsExactly("GOAWAY 0", "end");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void cancelsEndlessStream(Kind kind) throws Exception {
        play(kind, connection -> {
            connection.send(FrameBytes.data(STREAM, /* ends= */ false, HALF));
            evaluated.await();
            List<String> frames = connection.framesToTheEnd();
            connection.send(FrameBytes.data(STREAM, /* ends= */ true, HALF)); // this data was already in transit
            return frames;
        });

        assertThat(seen.get()).containsExactly("RST_STREAM 8", "GOAWAY 0", "end");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cancelsBodyThatFillsWindow(boolean secured) throws Exception {
        play(secured ? Kind.HTTP_TLS : Kind.GRPC, connection -> {
            for (int left = 65_535; left > 0; left -= HALF.length) {
                connection.send(FrameBytes.data(STREAM, /* ends= */ false, new byte[Math.min(left, HALF.length)]));
            }
            return connection.framesToTheEnd();
        });

        assertThat(seen.get()).containsExactly("RST_STREAM 8", "GOAWAY 0", "end");
    }

    /** The backend's side of the connection. */
    private record BackendEnd(Socket socket) {

        void send(byte[]... frames) throws IOException {
            for (byte[] frame : frames) {
                socket.getOutputStream().write(frame);
            }
        }

        void begin() throws IOException {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readFully(new byte[FrameBytes.PREFACE.length()]);
            send(FrameBytes.settings());
            boolean ends = false;
            while (!ends) {
                byte[] head = new byte[Frame.HEADER_BYTES];
                in.readFully(head);
                in.readFully(new byte[length(head)]);
                ends = head[3] <= Frame.HEADERS && (head[4] & Frame.END_STREAM) != 0;
            }
        }

        /** Returns RST_STREAM and GOAWAY frames, then "end"; a reset throws an exception. */
        List<String> framesToTheEnd() throws IOException {
            List<String> frames = new ArrayList<>();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                byte[] head = in.readNBytes(Frame.HEADER_BYTES);
                if (head.length < Frame.HEADER_BYTES) {
                    frames.add(head.length == 0 ? "end" : "cut");
                    return frames;
                }
                byte[] payload = in.readNBytes(length(head));
                if (head[3] == Frame.GOAWAY || head[3] == Frame.RST_STREAM) {
                    frames.add((head[3] == Frame.GOAWAY ? "GOAWAY " : "RST_STREAM ") + payload[payload.length - 1]);
                }
            }
        }

        private static int length(byte[] head) {
            return (head[0] & 0xFF) << 16 | (head[1] & 0xFF) << 8 | (head[2] & 0xFF);
        }
    }

    /** The backend's actions after the response head. */
    @FunctionalInterface
    private interface Rest {

        List<String> play(BackendEnd connection) throws IOException, InterruptedException;
    }

    private void play(Kind kind, Rest rest) throws Exception {
        @Nullable SSLContext tls = kind == Kind.GRPC ? null : TestCertificate.create().server();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread backend = new Thread(() -> serve(server, tls, rest));
            backend.start();
            HostPort address = new HostPort("127.0.0.1", server.getLocalPort());
            CheckRun.Awaited end = () -> {
                evaluated.countDown();
                seen.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            };

            ProbeResult result =
                    switch (kind) {
                        case GRPC -> CheckRun.of(address, grpc(CheckTls.NEVER), end);
                        case GRPC_TLS -> CheckRun.secured(address, Http2EndTest::grpc, UnaryOperator.identity(), end);
                        case HTTP_TLS -> CheckRun.secured(address, Http2EndTest::http, UnaryOperator.identity(), end);
                    };

            assertThat(result.text())
                    .isEqualTo(kind == Kind.HTTP_TLS ? "200" : "the gRPC message is not a health check response");
            backend.join();
        }
    }

    private void serve(ServerSocket server, @Nullable SSLContext tls, Rest rest) {
        try (Socket accepted = server.accept();
                Socket socket = tls == null ? accepted : secured(accepted, tls)) {
            socket.setSoTimeout((int) TestTimeout.LIMIT.toMillis());
            BackendEnd connection = new BackendEnd(socket);
            connection.begin();
            connection.send(FrameBytes.headers(STREAM, /* ends= */ false, FrameBytes.block(":status", "200")));
            seen.complete(rest.play(connection));
        } catch (IOException | InterruptedException e) {
            seen.completeExceptionally(e);
        }
    }

    private static Socket secured(Socket socket, SSLContext context) throws IOException {
        SSLSocket secured = (SSLSocket) context.getSocketFactory()
                .createSocket(socket, /* host= */ null, socket.getPort(), /* autoClose= */ true);
        secured.setUseClientMode(false);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private static HealthCheck grpc(CheckTls tls) {
        return new HealthCheck.Grpc("", Optional.empty(), tls);
    }

    private static HealthCheck http(CheckTls tls) {
        return new HealthCheck.Http(
                "GET", "/", Optional.empty(), List.of(new StatusRange(200, 299)), List.of(), BodyCheck.ANY, tls);
    }
}
