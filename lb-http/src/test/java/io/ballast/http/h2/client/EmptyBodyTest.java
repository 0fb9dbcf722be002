package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests requests whose stream ends with an empty DATA frame after the head: they have no body. */
class EmptyBodyTest {

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "DELETE"})
    void bodilessRequestIsNotChunked(String method) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            for (int i = 0; i < 2; i++) {
                int stream = client.newStream();
                client.send(FrameBytes.join(
                        FrameBytes.headers(stream, /* ends= */ false, Http2Client.head(method, "/")),
                        FrameBytes.data(stream, /* ends= */ true)));

                assertThat(client.read(stream).body()).isEqualTo("ok");
                assertThat(backend.nextRequest())
                        .startsWith(method + " / HTTP/1.1\r\n")
                        .endsWith("\r\n\r\n")
                        .doesNotContainIgnoringCase("transfer-encoding");
            }
            assertThat(backend.connections()).isEqualTo(1);
        }
    }
}
