package io.ballast.telemetry;

import static io.ballast.telemetry.testing.RecordingCollector.attributes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.core.control.PreparedChange;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.testing.TestCertificate;
import io.ballast.telemetry.config.OtlpConfig;
import io.ballast.telemetry.export.ExportCounters;
import io.ballast.telemetry.testing.RecordingCollector;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the queue of traces and the connection to the collector. */
class TraceExportTest {

    /** The threads of an exporter of the SDK, which read answers without a time limit. */
    private static final int MAX_EXPORTER_THREADS =
            Math.max(5, Runtime.getRuntime().availableProcessors());

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private TelemetrySetup setup;

    @BeforeEach
    void startCollector() throws Exception {
        setup = new TelemetrySetup();
    }

    @AfterEach
    void close() {
        setup.close();
    }

    private static OtlpConfig config(URI endpoint, Map<String, String> headers, Optional<Path> trustedCa) {
        return config(endpoint, headers, trustedCa, Duration.ofSeconds(1));
    }

    private static OtlpConfig config(
            URI endpoint, Map<String, String> headers, Optional<Path> trustedCa, Duration timeout) {
        return new OtlpConfig(
                endpoint,
                headers,
                /* traces= */ true,
                /* metrics= */ false,
                OtlpConfig.DEFAULT_INTERVAL,
                timeout,
                OtlpConfig.MIN_QUEUE_BYTES,
                "edge",
                Map.of("deployment.environment.name", "test"),
                trustedCa);
    }

    private static TestBackend backend() {
        return TestBackend.playing(Script.ok("hello"));
    }

    private static void send(TestBalancer balancer, int requests) {
        try (RawClient client = balancer.client()) {
            for (int i = 0; i < requests; i++) {
                assertThat(client.send(REQUEST).read().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void headersAndResourceAreSent() throws Exception {
        setup.send(config(setup.collector.endpoint(), Map.of("Authorization", "Bearer x"), Optional.empty()));
        try (TestBackend backend = backend();
                TestBalancer balancer = setup.balancer().backend(backend).start()) {
            send(balancer, 1);
            setup.collector.nextSpan();

            assertThat(setup.collector.requests().get(0).get("Authorization")).containsExactly("Bearer x");
            assertThat(setup.collector.requests().get(0).get("Content-Type")).containsExactly("application/x-protobuf");
            assertThat(setup.collector.resources().get(0))
                    .containsEntry("service.name", "edge")
                    .containsEntry("deployment.environment.name", "test");
        }
    }

    @Test
    void shutdownSendsWhatIsQueued() throws Exception {
        try (TelemetrySetup queueing = new TelemetrySetup(TelemetrySetup.ENDLESS);
                TestBackend backend = backend();
                TestBalancer balancer = queueing.balancer().backend(backend).start()) {
            send(balancer, 10);
            balancer.awaitQuiet();
            assertThat(queueing.collector.waitingSpans()).isZero();
            queueing.telemetry.close();

            assertThat(queueing.collector.waitingSpans()).isEqualTo(20);
            assertThat(queueing.telemetry.counters().sentSpans()).isEqualTo(20);
            assertThat(queueing.telemetry.isActive()).isFalse();
        }
    }

    @Test
    void stalledCollectorChangesNothingForRequestsAndOverflowIsCounted() throws Exception {
        setup.collector.stall();
        setup.send(config(setup.collector.endpoint(), Map.of(), Optional.empty()));
        ExportCounters counters = setup.telemetry.counters();
        try (TestBackend backend = backend();
                TestBalancer balancer = setup.balancer().backend(backend).start()) {
            send(balancer, 3000);
            balancer.await("traces were dropped", () -> counters.droppedTraces() > 0);
            balancer.await("an export has failed", () -> counters.lostSpans() > 0);

            assertThat(counters.sentSpans()).isZero();
        }
    }

    @Test
    void collectorThatNeverCompletesItsAnswersIsUsedOnceItDoes() throws Exception {
        setup.collector.answerEndlessly(true);
        setup.send(config(setup.collector.endpoint(), Map.of(), Optional.empty(), Duration.ofMillis(200)));
        ExportCounters counters = setup.telemetry.counters();
        try (TestBackend backend = backend();
                TestBalancer balancer = setup.balancer().backend(backend).start()) {
            for (int i = 1; i <= 2 * MAX_EXPORTER_THREADS; i++) {
                long lost = 2L * i;
                send(balancer, 1);
                balancer.await("the spans are lost", () -> counters.lostSpans() == lost);
            }
            setup.collector.answerEndlessly(false);
            balancer.await("the collector is used again", () -> {
                send(balancer, 1);
                return counters.sentSpans() > 0;
            });
        }
    }

    @Test
    void unreachableCollectorIsUsedOnceItAnswers() throws Exception {
        HostPort closed = ClosedPort.find();
        setup.send(config(URI.create("http://127.0.0.1:" + closed.port()), Map.of(), Optional.empty()));
        ExportCounters counters = setup.telemetry.counters();
        try (TestBackend backend = backend();
                TestBalancer balancer = setup.balancer().backend(backend).start()) {
            send(balancer, 1);
            balancer.await("the spans are lost", () -> counters.lostSpans() == 2);
            setup.send(config(setup.collector.endpoint(), Map.of(), Optional.empty()));
            send(balancer, 1);
            setup.collector.nextSpan();
            setup.collector.nextSpan();

            balancer.await("the spans are counted", () -> counters.sentSpans() == 2);
        }
    }

    @Test
    void errorOfCollectorIsCounted() throws Exception {
        setup.collector.answer(400);
        try (TestBackend backend = backend();
                TestBalancer balancer = setup.balancer().backend(backend).start()) {
            send(balancer, 1);

            balancer.await(
                    "the spans are lost", () -> setup.telemetry.counters().lostSpans() == 2);
        }
    }

    @Test
    void headerThatTheHttpClientRefusesLosesSpansOnly() throws Exception {
        setup.send(config(setup.collector.endpoint(), Map.of("Host", "a"), Optional.empty()));
        try (TestBackend backend = backend();
                TestBalancer balancer = setup.balancer().backend(backend).start()) {
            send(balancer, 1);
            balancer.await(
                    "the spans are lost", () -> setup.telemetry.counters().lostSpans() == 2);
            send(balancer, 1);
            balancer.await(
                    "the spans are lost", () -> setup.telemetry.counters().lostSpans() == 4);
        }
    }

    @Test
    void reloadSendsQueuedTracesToTheirCollector() throws Exception {
        try (RecordingCollector next = RecordingCollector.start();
                TelemetrySetup queueing = new TelemetrySetup(TelemetrySetup.ENDLESS);
                TestBackend backend = backend();
                TestBalancer balancer = queueing.balancer().backend(backend).start()) {
            send(balancer, 1);
            balancer.awaitQuiet();
            queueing.send(config(next.endpoint(), Map.of(), Optional.empty()));
            send(balancer, 1);
            balancer.awaitQuiet();

            assertThat(attributes(queueing.collector.nextSpan())).containsKey("url.path");
            queueing.telemetry.close();
            assertThat(attributes(next.nextSpan())).containsKey("url.path");
            assertThat(next.waitingSpans()).isOne(); // the span of the attempt
        }
    }

    @Test
    void unchangedConfigurationKeepsItsExport() throws Exception {
        PreparedChange change = setup.telemetry.prepare(Optional.of(OtlpConfig.of(setup.collector.endpoint())));

        assertThat(change).isSameAs(PreparedChange.NOTHING);
    }

    @Test
    void abandonedChangeHasNoEffect() throws Exception {
        try (RecordingCollector next = RecordingCollector.start();
                TestBackend backend = backend();
                TestBalancer balancer = setup.balancer().backend(backend).start()) {
            setup.telemetry.prepare(Optional.of(OtlpConfig.of(next.endpoint()))).close();
            send(balancer, 1);

            setup.collector.nextSpan();
            assertThat(next.waitingSpans()).isZero();
        }
    }

    @Test
    void withoutOtlpNothingIsRecorded() throws Exception {
        setup.telemetry.prepare(Optional.empty()).commit();
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = setup.balancer().backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(REQUEST).read().body()).containsPattern("traceparent: 00-[0-9a-f-]+-01");
            setup.telemetry.close();

            assertThat(setup.collector.waitingSpans()).isZero();
        }
    }

    @Test
    void collectorIsVerifiedByItsCertificate(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.create();
        Path ca = Files.writeString(directory.resolve("ca.pem"), certificate.certificatePem());
        try (RecordingCollector secured = RecordingCollector.start(certificate.server());
                TestBackend backend = backend();
                TestBalancer balancer = setup.balancer().backend(backend).start()) {
            setup.send(config(secured.endpoint(), Map.of(), Optional.of(ca)));
            send(balancer, 1);
            secured.nextSpan();
            setup.send(config(secured.endpoint(), Map.of(), Optional.empty()));
            send(balancer, 1);

            balancer.await(
                    "the spans are lost", () -> setup.telemetry.counters().lostSpans() == 2);
        }
    }

    @Test
    void unusableCaFileIsAnError(@TempDir Path directory) throws Exception {
        Path missing = directory.resolve("missing.pem");
        Path empty = Files.writeString(directory.resolve("empty.pem"), "nothing");

        assertThatThrownBy(() -> setup.send(config(setup.collector.endpoint(), Map.of(), Optional.of(missing))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("otlp.trusted_ca " + missing);
        assertThatThrownBy(() -> setup.send(config(setup.collector.endpoint(), Map.of(), Optional.of(empty))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("otlp.trusted_ca " + empty);
    }
}
