package io.ballast.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.server.compose.Balancer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/**
 * Tests over sockets that the whole process does not have the faults of OpenGSLB that contradict its own documents or
 * an RFC.
 */
class OpenGslbFaultsTest {

    private static final String FIRST = "127.0.1.1";
    private static final String SECOND = "127.0.1.2";
    private static final int PADDING = 12;
    private static final int RANDOM_NAMES = 2000;

    @TempDir
    private Path directory;

    private final ServerSocket second = listen(SECOND, 0);
    private ServerSocket first = listen(FIRST, 0);
    private Balancer balancer;

    OpenGslbFaultsTest() throws IOException {}

    @BeforeEach
    void start() throws Exception {
        balancer = Balancer.start(ConfigLoader.ofProcess().load(file()).config());
    }

    @AfterEach
    void stop() throws IOException {
        balancer.close();
        first.close();
        second.close();
    }

    private Path file() throws IOException {
        return Files.writeString(directory.resolve("lb.yaml"), """
                geo:
                  regions:
                    eu: {cidrs: [198.51.100.0/24]}
                    us: {cidrs: [203.0.113.0/24]}
                  default_region: us
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones:
                    - name: example.com
                      services:
                        - {name: app, pool: web, routing: failover}
                        - {name: near, regions: {eu: {pool: eu}, us: {pool: us}}}
                pools:
                  web:
                    backends:
                      - {address: "%s:%d", priority: 0}
                      - {address: "%s:%d", priority: 1}
                    health: {interval: 50ms}
                  eu: {backends: ["192.0.2.1:80"], health: {type: none}}
                  us: {backends: ["192.0.2.2:80"], health: {type: none}}
                dashboard: {bind: "127.0.0.1:0"}
                """.formatted(
                        FIRST, first.getLocalPort(), SECOND, second.getLocalPort()));
    }

    private static ServerSocket listen(String address, int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(address, port));
        return socket;
    }

    @Test
    void mixedCaseNamesAreFound() throws IOException {
        Message response = query("aPP.ExAMple.COM", Type.A);

        assertThat(answers(response)).containsExactly(FIRST);
        assertThat(response.getQuestion().getName()).hasToString("aPP.ExAMple.COM.");
    }

    @Test
    void missingTypesAreNodataWithSoa() throws IOException {
        for (int type : new int[] {Type.AAAA, Type.TXT, Type.MX, Type.SRV}) {
            assertNegative(query("app.example.com", type), Rcode.NOERROR);
        }
    }

    @Test
    void unknownNamesAreNxdomainAndForeignNamesRefused() throws IOException {
        assertNegative(query("nothing.example.com", Type.A), Rcode.NXDOMAIN);
        assertThat(query("example.org", Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
    }

    @Test
    void clientSubnetIsUsedAndScopeReturned() throws IOException {
        Message response = query("near.example.com", Type.A, subnet("198.51.100.0", 24));

        assertThat(answers(response)).containsExactly("192.0.2.1");
        assertThat(scope(response)).isEqualTo(24);
    }

    @Test
    void hiddenSubnetUsesDefaultRegion() throws IOException {
        Message response = query("near.example.com", Type.A, subnet("0.0.0.0", 0));

        assertThat(answers(response)).containsExactly("192.0.2.2");
        assertThat(scope(response)).isZero();
    }

    @Test
    void answersQueriesAbove512Bytes() throws IOException {
        Message response = query("app.example.com", Type.A, new GenericEDNSOption(PADDING, new byte[600]));

        assertThat(answers(response)).containsExactly(FIRST);
        assertThat(response.getOPT()).isNotNull();
    }

    @Test
    @Timeout(60)
    void failoverFollowsDefaultChecks() throws Exception {
        int port = first.getLocalPort();
        first.close();
        awaitAnswer(SECOND);

        first = listen(FIRST, port);
        awaitAnswer(FIRST);
    }

    @Test
    void randomNamesDoNotGrowMetrics() throws Exception {
        query("nothing.example.com", Type.A);
        Set<String> before = series();

        for (int i = 0; i < RANDOM_NAMES; i++) {
            assertThat(query("n" + i + ".example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        }

        assertThat(series()).isEqualTo(before);
    }

    /** Sends queries until the answer contains only this address; the test's time limit ends the loop. */
    private void awaitAnswer(String address) throws IOException {
        List<String> seen;
        do {
            seen = answers(query("app.example.com", Type.A));
        } while (!seen.equals(List.of(address)));
    }

    private Message query(String name, int type, EDNSOption... options) throws IOException {
        Message query = Message.newQuery(Record.newRecord(Name.fromString(name, Name.root), type, DClass.IN));
        query.addRecord(new OPTRecord(1232, 0, 0, 0, List.of(options)), Section.ADDITIONAL);
        InetSocketAddress server = balancer.dns().orElseThrow().addresses().get(0);
        return new SimpleResolver(server).send(query);
    }

    private static ClientSubnetOption subnet(String address, int bits) throws IOException {
        return new ClientSubnetOption(bits, InetAddress.getByName(address));
    }

    private static int scope(Message response) {
        return ((ClientSubnetOption) response.getOPT().getOptions().get(0)).getScopePrefixLength();
    }

    private static List<String> answers(Message response) {
        return response.getSection(Section.ANSWER).stream()
                .map(Record::rdataToString)
                .toList();
    }

    private static void assertNegative(Message response, int rcode) {
        assertThat(response.getRcode()).isEqualTo(rcode);
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
        assertThat(response.getSection(Section.AUTHORITY)).hasExactlyElementsOfTypes(SOARecord.class);
        assertThat(response.getHeader().getFlag(Flags.AA)).isTrue();
    }

    /**
     * The names of Ballast's own metrics with their labels; JVM metrics appear and disappear with garbage collections.
     */
    private Set<String> series() throws Exception {
        InetSocketAddress address = balancer.dashboardAddress().orElseThrow();
        URI uri = URI.create("http://127.0.0.1:" + address.getPort() + "/metrics");
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        return response.body()
                .lines()
                .filter(line -> line.startsWith("ballast_"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .collect(Collectors.toSet());
    }
}
