package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.AccessLogConfig.Format;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;

/** Tests changes of the access log target while requests run. */
class AccessLogReloadTest {

    @TempDir
    private Path directory;

    @EachTransport
    void requestsAreLoggedToLogActiveAtTheirEnd(TransportKind transport) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"), Script.okAfter(answer, "ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).accessLog(log("former"));
            try (TestBalancer balancer = setup.start();
                    RawClient client = balancer.client()) {
                client.send(get("/first")).read();
                client.send(get("/second"));
                backend.nextRequest();
                backend.nextRequest();

                balancer.reload(setup.accessLog(log("next")));
                answer.countDown();
                client.read();
                balancer.await("the first is written", () -> lines("former").contains("/first"));
            }
            assertThat(lines("former")).doesNotContain("/second");
            assertThat(lines("next")).contains("/second").doesNotContain("/first");
        }
    }

    @EachTransport
    void removedListenerLogsItsLastRequests(TransportKind transport) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, "ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport)
                    .backend(backend)
                    .grace(TestTimeout.LIMIT)
                    .accessLog(log("shared"));
            try (TestBalancer balancer = setup.start();
                    RawClient client = balancer.client()) {
                client.send(get("/last"));
                backend.nextRequest();

                balancer.reload(setup.name("renamed").accessLog(log("next")));
                answer.countDown();
                client.read();

                balancer.await("it is written", () -> lines("shared").contains("/last"));
                assertThat(lines("next")).isEmpty();
            }
        }
    }

    @EachTransport
    void newWriterIsReported(TransportKind transport) throws Exception {
        List<Heartbeat> later = new ArrayList<>();
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend);
            try (TestBalancer balancer = setup.start()) {
                balancer.frontend().onAddedHeartbeats(later::addAll);
                assertThat(balancer.frontend().heartbeats()).isEmpty();

                balancer.reload(setup.accessLog(log("first")));
                balancer.reload(setup.accessLog(log("second")));

                assertThat(later).hasSize(1).isEqualTo(balancer.frontend().heartbeats());
                try (RawClient client = balancer.client()) {
                    client.send(get("/logged")).read();
                }
                balancer.await("it is written", () -> lines("second").contains("/logged"));
            }
        }
    }

    @EachTransport
    void unopenableLogRejectsReload(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).accessLog(log("former"));
            try (TestBalancer balancer = setup.start()) {
                assertThatThrownBy(() -> balancer.reload(setup.accessLog(log("missing/log"))))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("cannot write the access log");

                try (RawClient client = balancer.client()) {
                    client.send(get("/after")).read();
                }
                balancer.await("it is written", () -> lines("former").contains("/after"));
            }
        }
    }

    private AccessLogConfig log(String name) {
        return new AccessLogConfig(
                directory.resolve(name).toString(), Format.COMMON, AccessLogConfig.DEFAULT_QUEUE_BYTES);
    }

    private String lines(String name) {
        try {
            return Files.readString(directory.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }
}
