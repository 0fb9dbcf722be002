package io.ballast.discovery.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.discovery.remote.BackendSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContainerListTest {

    /** A response in the format of Docker 28, with made-up values for the image and the network. */
    private static final String RECORDED = """
            [{"Id":"8dfafdbc3a40","Names":["/shop-web-1","/alias"],"Image":"nginx:latest","ImageID":"sha256:d745",
              "Command":"/docker-entrypoint.sh nginx","Created":1367854155,
              "Ports":[{"IP":"0.0.0.0","PrivatePort":80,"PublicPort":8080,"Type":"tcp"},
                       {"IP":"::","PrivatePort":80,"PublicPort":8080,"Type":"tcp"},{"PrivatePort":443,"Type":"udp"}],
              "Labels":{"ballast.pool":"web","com.docker.compose.project":"shop"},
              "State":"running","Status":"Up 2 hours (healthy)","HostConfig":{"NetworkMode":"shop_default"},
              "NetworkSettings":{"Networks":{
                "shop_front":{"IPAMConfig":null,"Links":null,"Aliases":null,"MacAddress":"02:42:ac:12:00:02",
                  "NetworkID":"7ea2","EndpointID":"88ea","Gateway":"172.18.0.1","IPAddress":"172.18.0.2",
                  "IPPrefixLen":16,"IPv6Gateway":"","GlobalIPv6Address":"","GlobalIPv6PrefixLen":0,"DNSNames":null},
                "shop_back":{"IPAddress":"172.19.0.2","GlobalIPv6Address":""}}},
              "Mounts":[{"Type":"volume","Name":"fac3","RW":true}]}]
            """;

    @Test
    void usesFirstNetworkAndOnlyPort() throws IOException {
        BackendSet read = ContainerList.read(RECORDED.getBytes(StandardCharsets.UTF_8), Optional.empty());

        assertThat(read.sorted()).hasSize(1);
        assertThat(read.sorted().get(0))
                .hasToString("DiscoveredBackend[address=172.19.0.2:80, weight=1, backup=false, draining=false]");
        assertThat(read.omitted()).isEmpty();
    }

    @Test
    void labelsOverrideDefaults() throws IOException {
        String labels = "\"ballast.port\":\"8081\",\"ballast.weight\":\"30\",\"ballast.network\":\"front\"";

        BackendSet read = read(Optional.of(80), container("running", "Up", labels));

        assertThat(read.sorted().get(0))
                .hasToString("DiscoveredBackend[address=10.0.1.1:8081, weight=30, backup=false, draining=false]");
    }

    @Test
    void publishedPortPrecedesImagePorts() throws IOException {
        assertThat(read(Optional.of(81), container("running", "Up", ""))
                        .sorted()
                        .get(0)
                        .address())
                .hasToString("10.0.0.1:81");
    }

    @Test
    void omitsUnhealthyContainers() throws IOException {
        BackendSet read = read(
                Optional.of(80),
                container("exited", "Exited (0) 2 hours ago", ""),
                container("paused", "Up 2 hours (Paused)", ""),
                container("running", "Up 2 hours (unhealthy)", ""),
                container("running", "Up 3 seconds (health: starting)", ""));

        assertThat(read.isEmpty()).isTrue();
        assertThat(read.omitted()).isEmpty();
    }

    @Test
    void omitsInvalidContainersWithReason() throws IOException {
        BackendSet read = read(
                Optional.empty(),
                container("running", "Up", ""),
                container("running", "Up", "\"ballast.port\":\"http\""),
                container("running", "Up", "\"ballast.port\":\"0\""),
                container("running", "Up", "\"ballast.weight\":\"1001\""),
                container("running", "Up", "\"ballast.network\":\"none\""),
                "{\"Names\":[\"/host\"],\"State\":\"running\",\"NetworkSettings\":{\"Networks\":{\"host\":{\"IPAddress\":\"\"}}}}");

        assertThat(read.isEmpty()).isTrue();
        assertThat(read.omitted())
                .isEqualTo(List.of(
                        "/web: exposed ports: [80, 443] (expected: exactly one, or the label ballast.port)",
                        "/web: ballast.port: http (expected: 1..65535)",
                        "/web: port: 0 (expected: 1..65535)",
                        "/web: ballast.weight: 1001 (expected: 0..1000)",
                        "/web: ballast.network: none (expected: one of [back, front])",
                        "/host: networks: [host] (expected: a network with an address)"));
    }

    @Test
    void rejectsTruncatedDocument() {
        String text = RECORDED.strip();
        for (int length = 0; length < text.length(); length++) {
            byte[] prefix = text.substring(0, length).getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(() -> ContainerList.read(prefix, Optional.empty()))
                    .isInstanceOf(IOException.class);
        }
    }

    private static BackendSet read(Optional<Integer> port, String... containers) throws IOException {
        String text = "[" + String.join(",", containers) + "]";
        return ContainerList.read(text.getBytes(StandardCharsets.UTF_8), port);
    }

    private static String container(String state, String status, String labels) {
        return "{\"Names\":[\"/web\"],\"State\":\"" + state + "\",\"Status\":\"" + status + "\",\"Labels\":{" + labels
                + "},\"Ports\":[{\"PrivatePort\":80,\"Type\":\"tcp\"},{\"PrivatePort\":443,\"Type\":\"tcp\"}],"
                + "\"NetworkSettings\":{\"Networks\":{\"front\":{\"IPAddress\":\"10.0.1.1\"},"
                + "\"back\":{\"IPAddress\":\"10.0.0.1\"},\"aa\":{\"IPAddress\":\"\"}}}}";
    }
}
