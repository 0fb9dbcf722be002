package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ballast.core.control.ReloadReport;
import io.ballast.net.tls.SubjectAltNames;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests listeners whose certificates are ordered by ACME at a certificate authority that cannot be reached. */
class OrderedCertificatesTest {

    private static final String CONFIG = """
            data_dir: %s
            dashboard: {bind: "127.0.0.1:0"}
            acme: {directory: "https://127.0.0.1:1/dir"}
            listeners:
              - {bind: "127.0.0.1:0", redirect: https}
              - bind: 127.0.0.1:0
                name: secure
                protocol: https
                tls: {acme: [%s]}
                routes: [{respond: {status: 200, body: served}}]
            """;

    @TempDir
    private Path directory;

    @Test
    void temporaryCertificateIsServedAndFailureIsReported() throws Exception {
        try (StartedBalancer started = StartedBalancer.start(directory, config("shop.example.com"))) {
            assertThat(served(started, "shop.example.com")).containsExactly("shop.example.com");

            started.awaitEvent(
                    "certificate shop.example.com not issued by 127.0.0.1: cannot reach https://127.0.0.1:1/dir");
            String metrics =
                    started.request(started.dashboard(), "GET", "/metrics").body();
            assertThat(metrics)
                    .contains("ballast_acme_failures_total{name=\"shop.example.com\"} 1")
                    .contains("ballast_acme_expiry_seconds{name=\"shop.example.com\"} 0");
        }
    }

    @Test
    void nextIssuerIsTriedAtOnceAndBothAreNamed() throws Exception {
        String issuers = config("shop.example.com")
                .replace(
                        "directory: \"https://127.0.0.1:1/dir\"",
                        "issuers: [{name: one, directory: \"https://127.0.0.1:1/dir\"},"
                                + " {name: two, directory: \"https://127.0.0.1:2/dir\"}]");
        try (StartedBalancer started = StartedBalancer.start(directory, issuers)) {
            assertThat(served(started, "shop.example.com")).containsExactly("shop.example.com");

            started.awaitEvent("certificate shop.example.com not issued by one: cannot reach https://127.0.0.1:1/dir");
            started.awaitEvent("certificate shop.example.com not issued by two: cannot reach https://127.0.0.1:2/dir");
            assertThat(started.request(started.dashboard(), "GET", "/api/v1/events")
                            .body())
                    .contains("; two is tried next");
            assertThat(ordered(started)).contains("\"error\":\"two: cannot reach https://127.0.0.1:2/dir");
            assertThat(Files.exists(directory.resolve("data/acme/_served/certificates/shop.example.com.pem")))
                    .isTrue();

            ReloadReport report = started.reload(config("shop.example.com"));
            assertThat(report.outcome()).as(report.toString()).isEqualTo(ReloadReport.Outcome.APPLIED);
            assertThat(served(started, "shop.example.com")).containsExactly("shop.example.com");
        }
    }

    @Test
    void reloadAddsName() throws Exception {
        try (StartedBalancer started = StartedBalancer.start(directory, config("shop.example.com"))) {
            ReloadReport report = started.reload(config("shop.example.com, \"www.example.com\""));

            assertThat(report.outcome()).as(report.toString()).isEqualTo(ReloadReport.Outcome.APPLIED);
            assertThat(served(started, "www.example.com")).containsExactly("www.example.com");
            assertThat(served(started, "shop.example.com")).containsExactly("shop.example.com");
        }
    }

    @Test
    void directoryIsReleasedAtTheEnd() throws Exception {
        StartedBalancer.start(directory, config("shop.example.com")).close();

        try (StartedBalancer started = StartedBalancer.start(directory, config("shop.example.com"))) {
            assertThat(Files.exists(directory.resolve("data/acme/127.0.0.1-1-dir/certificates/shop.example.com.pem")))
                    .isTrue();
            assertThat(served(started, "shop.example.com")).containsExactly("shop.example.com");
        }
    }

    @Test
    void temporaryCertificateCannotBeRevoked() throws Exception {
        try (StartedBalancer started = StartedBalancer.start(directory, config("shop.example.com"))) {
            HttpResponse<String> answer = started.request(
                    started.dashboard(), "POST", "/api/v1/certificates/revoke?name=shop.example.com&who=alice");

            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).contains("no certificate of shop.example.com was issued by this CA");
        }
    }

    @Test
    void nameIsOrderedOnDemandIfUrlPermitsIt() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer permissionServer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        permissionServer.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getQuery());
            boolean isPermitted = exchange.getRequestURI().getQuery().endsWith("permitted.example");
            exchange.sendResponseHeaders(isPermitted ? 200 : 403, -1);
            exchange.close();
        });
        permissionServer.start();
        String onDemand = config("shop.example.com")
                .replace(
                        "/dir\"}",
                        "/dir\", on_demand: {ask: \"http://127.0.0.1:"
                                + permissionServer.getAddress().getPort() + "/\"}}")
                .replace("tls: {", "tls: {on_demand: true, ");
        try (StartedBalancer started = StartedBalancer.start(directory, onDemand)) {
            assertThat(served(started, "refused.example")).containsExactly("shop.example.com");
            assertThat(served(started, "permitted.example")).containsExactly("shop.example.com");

            started.awaitEvent(
                    "certificate permitted.example not issued by 127.0.0.1: cannot reach https://127.0.0.1:1/dir");
            assertThat(asked).containsExactly("domain=refused.example", "domain=permitted.example");
            assertThat(started.request(started.dashboard(), "GET", "/metrics").body())
                    .contains("ballast_acme_on_demand_total{result=\"failed\"} 1")
                    .contains("ballast_acme_on_demand_total{result=\"refused\"} 1");
            assertThat(ordered(started))
                    .contains("\"total\":2,\"on_demand\":1")
                    .contains("{\"name\":\"permitted.example\",\"on_demand\":true,")
                    .doesNotContain("refused.example");

            started.reload(config("shop.example.com"));
            served(started, "third.example");
            assertThat(asked).hasSize(2);
        } finally {
            permissionServer.stop(/* delay= */ 0);
        }
    }

    private static String ordered(StartedBalancer started) throws Exception {
        return started.request(started.dashboard(), "GET", "/api/v1/certificates/ordered")
                .body();
    }

    private String config(String names) {
        return CONFIG.formatted(directory.resolve("data"), names);
    }

    private static List<String> served(StartedBalancer started, String host) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        int port = started.balancer().http().port(1);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host)));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return SubjectAltNames.hosts((X509Certificate) socket.getSession().getPeerCertificates()[0]);
        }
    }
}
