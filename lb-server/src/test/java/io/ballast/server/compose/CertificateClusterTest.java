package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ballast.acme.testing.ScriptedAuthority;
import io.ballast.net.testing.FreePort;
import io.ballast.server.Main;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests three nodes of a cluster that share the certificates that one of them orders. */
class CertificateClusterTest {

    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final String NAME = "shop.example.com";
    private static final String ON_DEMAND = "customer.example.net";
    private static final String CHALLENGE = "/.well-known/acme-challenge/" + ScriptedAuthority.TOKEN;
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"([^\"]*)\"");

    private final Map<String, StartedBalancer> nodes = new ConcurrentHashMap<>();
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    /** The nodes that have answered a challenge in time. */
    private final Set<String> answered = new ConcurrentSkipListSet<>();

    private ScriptedAuthority authority;
    private HttpServer permissions;
    private Path trusted;

    @TempDir
    private Path directory;

    @BeforeEach
    void prepare() throws Exception {
        authority = new ScriptedAuthority();
        authority.suggestRenewals(Instant.now().plus(Duration.ofDays(1_000)));
        authority.verify(this::isAnsweredByAll);
        trusted = authority.trusted(directory);
        permissions = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        permissions.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        permissions.start();
        String files = directory.toString();
        assertThat(Main.commandLine().execute("cluster", "init", "edge", "--directory", files))
                .isZero();
        for (String node : NODES) {
            ports.put(node, FreePort.find());
            assertThat(Main.commandLine().execute("cluster", "cert", node, "--directory", files))
                    .isZero();
        }
        for (String node : NODES) {
            nodes.put(node, StartedBalancer.start(Files.createDirectories(directory.resolve(node)), config(node)));
        }
    }

    @AfterEach
    void close() {
        nodes.values().forEach(StartedBalancer::close);
        permissions.stop(/* delay= */ 0);
        authority.close();
    }

    private String config(String node) {
        return """
            dashboard: {bind: "127.0.0.1:0"}
            data_dir: %1$s/%2$s/data
            acme:
              directory: %5$s
              trusted_ca: %6$s
              on_demand: {ask: "http://127.0.0.1:%7$d/"}
            listeners:
              - {bind: "127.0.0.1:0", redirect: https}
              - bind: 127.0.0.1:0
                name: secure
                protocol: https
                tls: {acme: [%8$s], on_demand: true}
                routes: [{respond: {status: 200, body: served}}]
            cluster:
              name: edge
              bind: 127.0.0.1:%3$d
              peers: [%4$s]
              voters: [n1, n2, n3]
              secret_key: %9$s
              tls: {certificate: %1$s/%2$s.crt, key: %1$s/%2$s.key, ca: %1$s/ca.crt}
            """.formatted(
                directory,
                node,
                ports.get(node),
                String.join(
                        ", ",
                        ports.values().stream().map(port -> "127.0.0.1:" + port).toList()),
                authority.directory(),
                trusted,
                permissions.getAddress().getPort(),
                NAME,
                "ab".repeat(32));
    }

    /** Verifies a name: the authority asks every node. */
    private boolean isAnsweredByAll() {
        nodes.forEach((name, node) -> {
            try {
                HttpResponse<String> answer = node.get(CHALLENGE);
                if (answer.statusCode() == 200 && answer.body().startsWith(ScriptedAuthority.TOKEN + ".")) {
                    answered.add(name);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        return answered.containsAll(nodes.keySet());
    }

    private StartedBalancer node(String name) {
        return requireNonNull(nodes.get(name));
    }

    private String leader() throws Exception {
        String[] found = {""};
        await(() -> {
            for (StartedBalancer node : nodes.values()) {
                String document =
                        node.request(node.dashboard(), "GET", "/api/v1/cluster").body();
                Matcher leader = LEADER.matcher(document);
                if (leader.find() && nodes.containsKey(leader.group(1))) {
                    found[0] = leader.group(1);
                    return true;
                }
            }
            return false;
        });
        return found[0];
    }

    private static X509Certificate served(StartedBalancer started, String host) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        int port = started.balancer().http().port(1);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host)));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    private void awaitServedByAll(String host, int serial) throws Exception {
        for (Map.Entry<String, StartedBalancer> node : nodes.entrySet()) {
            await(() -> served(node.getValue(), host).getSerialNumber().equals(BigInteger.valueOf(serial)));
        }
    }

    private Path account(String node) {
        String state = "localhost-" + authority.directory().getPort() + "-dir";
        return directory.resolve(node).resolve("data/acme").resolve(state).resolve("account.pem");
    }

    @Test
    void oneNodeOrdersForAllAndTheNextLeaderRenews() throws Exception {
        awaitServedByAll(NAME, 1);

        assertThat(authority.issued()).containsExactly(NAME);
        assertThat(answered).containsExactlyElementsOf(NODES);
        for (StartedBalancer node : nodes.values()) {
            await(() -> node.get(CHALLENGE).statusCode() != 200);
        }
        String first = leader();
        String key = Files.readString(account(first));
        for (String node : NODES) {
            assertThat(account(node)).hasContent(key);
        }

        answered.clear();
        requireNonNull(nodes.remove(first)).close();
        authority.suggestRenewals(Instant.now().minus(Duration.ofDays(3)));
        awaitServedByAll(NAME, 2);

        assertThat(authority.issued()).containsExactly(NAME, NAME);
        assertThat(answered).containsExactlyInAnyOrderElementsOf(nodes.keySet());
        assertThat(authority.accounts()).isEqualTo(1);

        authority.suggestRenewals(Instant.now().plus(Duration.ofDays(1_000)));
        nodes.put(first, StartedBalancer.start(directory.resolve(first), config(first)));
        awaitServedByAll(NAME, 2);
    }

    @Test
    void certificateIsRevokedOnTheNodeThatOrders() throws Exception {
        awaitServedByAll(NAME, 1);
        String leader = leader();
        String other =
                NODES.stream().filter(node -> !node.equals(leader)).findFirst().orElseThrow();

        HttpResponse<String> refused = node(other)
                .request(node(other).dashboard(), "POST", "/api/v1/certificates/revoke?name=" + NAME + "&who=ann");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("certificates are ordered by node " + leader);

        assertThat(node(leader).command(0, "acme", "revoke", NAME)).contains("a new certificate is ordered");
        awaitServedByAll(NAME, 2);
        assertThat(authority.issued()).containsExactly(NAME, NAME);
    }

    @Test
    void nameOnDemandOfAnotherNodeIsOrderedByTheLeader() throws Exception {
        awaitServedByAll(NAME, 1);
        String leader = leader();
        for (String node : NODES) {
            if (!node.equals(leader)) {
                await(() -> served(node(node), ON_DEMAND).getSerialNumber().equals(BigInteger.TWO));
            }
        }
        awaitServedByAll(ON_DEMAND, 2);

        assertThat(authority.issued()).containsExactly(NAME, ON_DEMAND);
    }
}
