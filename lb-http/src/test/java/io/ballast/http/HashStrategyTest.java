package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HashConfig;
import io.ballast.core.config.HashKey;
import io.ballast.core.config.HashKey.Source;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HashStrategyTest {

    private static final int TENANTS = 24;

    @EachTransport
    void equalRequestsUseSameBackendInBothHttpVersions(TransportKind transport) throws Exception {
        try (Fleet fleet = new Fleet(transport, Source.HEADER);
                RawClient one = fleet.balancer.client();
                RawClient other = fleet.balancer.client();
                Http2Client modern = Http2Client.connect(fleet.balancer.port())) {
            List<String> choices = new ArrayList<>();
            for (int tenant = 0; tenant < TENANTS; tenant++) {
                choices.add(request(one, "/", "Key: tenant-" + tenant));
            }

            // The backend ports decide how the keys are distributed. A single backend for all keys is very unlikely.
            assertThat(new HashSet<>(choices)).hasSizeGreaterThan(1);
            for (int tenant = 0; tenant < TENANTS; tenant++) {
                assertThat(request(other, "/other", "Key: tenant-" + tenant)).isEqualTo(choices.get(tenant));
                assertThat(modern.read(modern.get("/", "key", "tenant-" + tenant))
                                .body())
                        .isEqualTo(choices.get(tenant));
            }
        }
    }

    @Test
    void laterBodyDoesNotChangeKey() throws Exception {
        try (Fleet fleet = new Fleet(TransportKind.NIO, Source.HEADER);
                RawClient client = fleet.balancer.client();
                Http2Client modern = Http2Client.connect(fleet.balancer.port())) {
            for (int tenant = 0; tenant < TENANTS; tenant++) {
                int stream = modern.post("/", "key", "tenant-" + tenant);
                int between = modern.get("/", "key", "between");
                modern.upload(stream, /* ends= */ true, new byte[] {1});

                assertThat(modern.read(stream).body()).isEqualTo(request(client, "/", "Key: tenant-" + tenant));
                assertThat(modern.read(between).body()).isEqualTo(request(client, "/", "Key: between"));
            }
        }
    }

    @Test
    void requestsWithoutKeyUseClientAddress() throws Exception {
        try (Fleet fleet = new Fleet(TransportKind.NIO, Source.COOKIE);
                RawClient client = fleet.balancer.client();
                RawClient other = fleet.balancer.client()) {
            String usual = request(client, "/", "X: y");

            for (int tenant = 0; tenant < TENANTS; tenant++) {
                request(client, "/", "Cookie: Key=" + tenant);
                assertThat(request(client, "/" + tenant, "X: y")).isEqualTo(usual);
                assertThat(request(other, "/" + tenant, "X: y")).isEqualTo(usual);
            }
        }
    }

    private static String request(RawClient client, String path, String header) {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + header + "\r\n\r\n")
                .read()
                .body();
    }

    /** Four backends that respond with their name. */
    private static final class Fleet implements AutoCloseable {

        private final List<TestBackend> backends = new ArrayList<>();
        private final TestBalancer balancer;

        Fleet(TransportKind transport, Source source) throws Exception {
            BalancerSetup setup = BalancerSetup.on(transport)
                    .strategy(StrategyConfig.of(StrategyKind.HASH)
                            .withHash(new HashConfig(new HashKey(source, "Key"), Optional.empty())));
            for (int i = 0; i < 4; i++) {
                TestBackend backend = TestBackend.playing(Script.ok(String.valueOf(i)));
                backends.add(backend);
                setup.backend(backend);
            }
            balancer = setup.start();
        }

        @Override
        public void close() throws Exception {
            balancer.close();
            for (TestBackend backend : backends) {
                backend.close();
            }
        }
    }
}
