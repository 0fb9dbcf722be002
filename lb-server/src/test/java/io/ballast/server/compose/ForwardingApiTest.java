package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/** Tests the API documents of a whole balancer that forwards queries. */
class ForwardingApiTest {

    private static final String FORWARD = """
            dns:
              listeners: [{bind: "127.0.0.1:0"}]
              forward:
                pool: resolvers
                filter: {lists: [{name: own, rules: ["||tracker.example^"]}]}
            """;

    @TempDir
    private Path directory;

    @Test
    void apiReportsBlockedQueries() throws Exception {
        try (StartedBalancer running = StartedBalancer.start(directory, config(FORWARD))) {
            query(running, "a.tracker.example.");

            await(() -> body(running, "/api/v1/dns/lists").contains("\"blocked\":1"));
            assertThat(body(running, "/api/v1/dns/lists"))
                    .contains("\"name\":\"own\"", "\"enabled\":true", "\"rules\":1", "\"failed\":0");
            assertThat(body(running, "/api/v1/dns/upstreams"))
                    .contains("\"addr\":\"127.0.0.1:1\"", "\"pool\":\"resolvers\"");
            await(() -> body(running, "/api/v1/dns/history?hours=1").contains("\"blocked\":1,"));
            assertThat(body(running, "/api/v1/dns/history?hours=1"))
                    .contains("\"step_seconds\":60", "\"blocked_share\":1", "\"count\":1", "a.tracker.example");
            assertThat(body(running, "/api/v1/dns/queries?name=tracker&outcome=blocked"))
                    .contains("\"memory\":1000", "\"client\":\"127.0.0.1\"", "\"by\":\"own\"", "\"type\":\"A\"");
            assertThat(body(running, "/api/v1/dns/queries?outcome=hit")).contains("\"queries\":[]");
            assertThat(body(running, "/stats")).contains("\"forwards\":true");
            assertThat(running.command(0, "status"))
                    .contains("Forwarding: 0 from the cache, 0 from resolvers, 1 blocked, 0 failed since the start");
        }
    }

    @Test
    void disabledLogIsReported() throws Exception {
        String off = FORWARD.replace("  forward:", "  query_log: off\n  forward:");
        try (StartedBalancer running = StartedBalancer.start(directory, config(off))) {
            query(running, "a.tracker.example.");

            await(() -> body(running, "/api/v1/dns/lists").contains("\"blocked\":1"));
            assertThat(body(running, "/api/v1/dns/queries"))
                    .contains("\"logged\":false", "\"memory\":0", "\"queries\":[]");
            assertThat(body(running, "/api/v1/dns/history")).contains("\"logged\":false", "\"queries\":0");
            assertThat(running.command(0, "status")).contains("1 blocked");
        }
    }

    @Test
    void nothingWithoutForwarder() throws Exception {
        try (StartedBalancer running = StartedBalancer.start(directory, config(""))) {
            assertThat(running.request(running.dashboard(), "GET", "/api/v1/dns/history")
                            .statusCode())
                    .isEqualTo(404);
            assertThat(running.command(0, "status")).doesNotContain("Forwarding");
        }
    }

    private String config(String dns) {
        return dns
                + """
                data_dir: %s
                dashboard: {bind: "127.0.0.1:0"}
                pools:
                  resolvers: {backends: ["127.0.0.1:1"], health: {type: none}}
                """.formatted(directory.resolve("data"))
                + (dns.isEmpty() ? "listeners: [{bind: \"127.0.0.1:0\", pool: resolvers}]\n" : "");
    }

    private static String body(StartedBalancer running, String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = running.request(running.dashboard(), "GET", path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static void query(StartedBalancer running, String name) throws IOException {
        InetSocketAddress address =
                running.balancer().dns().orElseThrow().addresses().get(0);
        byte[] query = Message.newQuery(Record.newRecord(Name.fromString(name), Type.A, DClass.IN))
                .toWire();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout((int) Duration.ofMinutes(1).toMillis());
            socket.send(new DatagramPacket(query, query.length, address));
            socket.receive(new DatagramPacket(new byte[512], 512));
        }
    }
}
