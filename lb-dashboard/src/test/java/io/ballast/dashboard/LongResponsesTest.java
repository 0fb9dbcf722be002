package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.config.Histograms;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that responses that grow with the number of backends are produced while the client reads, and do not block
 * other requests.
 */
class LongResponsesTest {

    private static final int BACKENDS = 10_000;
    private static final int MAX_DOCUMENTS = 4;
    private static final String STATS = "GET /stats HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String READY = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(BACKENDS, Histograms.PER_POOL);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/stats", "/api/v1/pools/web"})
    void longResponsesAreNeverBufferedCompletely(String path) throws Exception {
        long length = length(path); // also loads classes, which use memory
        long before = memoryInUse();

        try (Socket reader =
                fixture.open("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) {
            assertThat(reader.getInputStream().read())
                    .isEqualTo('H'); // the response has begun; the rest waits for the reader
            fixture.get("/readyz"); // the server answers other requests at the same time

            assertThat(length).isGreaterThan(4_000_000);
            assertThat(memoryInUse() - before).as("bytes in use for %d", length).isLessThan(length / 2);
        }
    }

    @Test
    void longResponsesAreCompressedOnRequest() throws Exception {
        HttpResponse<InputStream> response = fixture.client()
                .send(
                        HttpRequest.newBuilder(fixture.uri("/metrics"))
                                .header("Accept-Encoding", "gzip")
                                .build(),
                        BodyHandlers.ofInputStream());

        assertThat(response.headers().firstValue("content-encoding")).hasValue("gzip");
        try (GZIPInputStream in = new GZIPInputStream(response.body())) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text)
                    .contains("ballast_backend_requests_total{pool=\"web\",backend=\"127.0.0.1:19000\"} 0\n")
                    .contains("\njvm_threads_live_threads ");
        }
    }

    @Test
    void stalledReadersBlockOnlyOtherLongResponses() throws Exception {
        List<Socket> stopped = new ArrayList<>();
        try {
            for (int i = 0; i < MAX_DOCUMENTS; i++) {
                Socket socket = fixture.open("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
                stopped.add(socket);
                assertThat(socket.getInputStream().read()).isEqualTo('H');
            }

            HttpResponse<String> another = fixture.get("/metrics");
            assertThat(another.statusCode()).isEqualTo(503);
            assertThat(another.headers().firstValue("retry-after")).hasValue("1");
            assertThat(fixture.get("/readyz").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : stopped) {
                socket.close();
            }
        }
    }

    @Test
    void aPipelinedRequestIsAnsweredAfterwards() throws Exception {
        String answers = fixture.raw(STATS + READY);

        assertThat(answers).startsWith("HTTP/1.1 200 OK").endsWith("ready\n");
        assertThat(answers.lastIndexOf("HTTP/1.1 200 OK")).isGreaterThan(answers.indexOf("\"process\""));
    }

    @Test
    void http10ClientsGetNoChunkedEncoding() throws Exception {
        String answer = fixture.raw("GET /stats HTTP/1.0\r\nHost: localhost\r\n\r\n");

        String[] parts = answer.split("\r\n\r\n", 2);
        assertThat(parts[0].toLowerCase(Locale.ROOT)).doesNotContain("transfer-encoding");
        assertThat(JsonTree.of(parts[1]).at("backends").items()).hasSize(BACKENDS);
    }

    private long length(String path) throws IOException {
        try (Socket socket =
                fixture.open("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) {
            byte[] buffer = new byte[64 * 1024];
            long length = 0;
            for (int read = 0; read >= 0; read = socket.getInputStream().read(buffer)) {
                length += read;
            }
            return length;
        }
    }

    /** Returns the heap in use after a collection, plus the direct buffers. */
    private static long memoryInUse() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                + PlatformDependent.usedDirectMemory();
    }
}
