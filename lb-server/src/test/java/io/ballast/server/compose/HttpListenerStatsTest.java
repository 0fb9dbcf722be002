package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.core.testing.StatisticValues;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.route.RouteTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpListenerStatsTest {

    @TempDir
    Path directory;

    private Listener listener;
    private HttpListenerStats stats;

    @BeforeEach
    void start() throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), """
                listeners: [{bind: "127.0.0.1:8080", pool: web}]
                pools: {web: {backends: ["127.0.0.1:9001"]}}
                """);
        listener = new Listener(
                ConfigLoader.ofProcess().load(file).config().listeners().get(0),
                RouteTable.EMPTY,
                (backend, failure) -> {},
                /* accessLog= */ null,
                /* shards= */ 1);
        stats = new HttpListenerStats(listener, 8080, new ListenerCertificates(List.of()));
    }

    @Test
    void http2FloodsAreSeparateErrors() {
        count(ListenerCounter.HTTP2_ERRORS, 3);
        count(ListenerCounter.HTTP2_FLOODS, 2);

        assertThat(values("connections_limited"))
                .containsEntry("http2_error", 1L)
                .containsEntry("http2_flood", 2L);
    }

    @Test
    void http3FloodsAreSeparateErrors() {
        count(ListenerCounter.HTTP3_ERRORS, 3);
        count(ListenerCounter.HTTP3_FLOODS, 2);

        assertThat(values("connections_limited"))
                .containsEntry("http3_error", 1L)
                .containsEntry("http3_flood", 2L);
    }

    @Test
    void endedTunnelIsNotOpen() {
        count(ListenerCounter.TUNNELS_OPENED, 3);
        count(ListenerCounter.TUNNELS_CLOSED, 1);

        assertThat(values("tunnels_open")).containsValue(2L);
        assertThat(values("tunnels_opened")).containsValue(3L);
    }

    private Map<String, Long> values(String field) {
        return StatisticValues.ofField(stats.statistics(), field);
    }

    private void count(ListenerCounter counter, int times) {
        for (int i = 0; i < times; i++) {
            listener.counters().shard(0).increment(counter);
        }
    }
}
