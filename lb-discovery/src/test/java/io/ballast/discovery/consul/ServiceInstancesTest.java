package io.ballast.discovery.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.discovery.remote.BackendSet;
import io.ballast.discovery.source.DiscoveredBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ServiceInstancesTest {

    /** A response in the format of Consul agents of version 1.17. */
    private static final String RECORDED = """
            [
              {
                "Node": {
                  "ID": "40e4a748-2192-161a-0510-9bf59fe950b5", "Node": "foobar", "Address": "10.1.10.12",
                  "Datacenter": "dc1", "TaggedAddresses": {"lan": "10.1.10.12", "wan": "10.1.10.12"},
                  "Meta": {"instance_type": "t2.medium"}, "CreateIndex": 5, "ModifyIndex": 8
                },
                "Service": {
                  "ID": "redis", "Service": "redis", "Tags": ["primary"], "Address": "10.1.10.13",
                  "TaggedAddresses": {"lan": {"address": "10.1.10.14", "port": 8000}},
                  "Meta": {"redis_version": "4.0"}, "Port": 8000, "Weights": {"Passing": 10, "Warning": 1},
                  "EnableTagOverride": false, "Proxy": {"Mode": "", "MeshGateway": {}, "Expose": {}},
                  "Connect": {}, "PeerName": "", "CreateIndex": 14, "ModifyIndex": 14
                },
                "Checks": [
                  {"Node": "foobar", "CheckID": "service:redis", "Status": "passing", "Port": 1, "ServiceTags": ["primary"]}
                ]
              },
              {
                "Node": {"Node": "barfoo", "Address": "2001:DB8::2", "Meta": null},
                "Service": {"ID": "redis-2", "Address": "", "Port": 8001, "Weights": null},
                "Checks": null
              },
              {
                "Node": {"Node": "outside", "Address": "db.example.com"},
                "Service": {"ID": "outside", "Address": "", "Port": 8001}
              },
              {
                "Node": {"Node": "foobar", "Address": "10.1.10.12"},
                "Service": {"ID": "without-port", "Address": "", "Port": 0}
              },
              {
                "Node": {"Node": "foobar", "Address": "10.1.10.12"},
                "Service": {"ID": "at-rest", "Address": "", "Port": 8002, "Weights": {"Passing": 0, "Warning": 0}}
              }
            ]
            """;

    @Test
    void usesServiceOrNodeAddress() throws IOException {
        BackendSet read = read(RECORDED);

        assertThat(read.sorted())
                .containsExactly(
                        new DiscoveredBackend(new HostPort("10.1.10.12", 8002), 0, false, false),
                        new DiscoveredBackend(new HostPort("10.1.10.13", 8000), 10, false, false),
                        DiscoveredBackend.at(new HostPort("2001:db8::2", 8001)));
        assertThat(read.omitted()).hasSize(2);
        assertThat(read.omitted().get(0)).startsWith("outside: address: db.example.com (expected: ");
        assertThat(read.omitted().get(1)).isEqualTo("without-port: port: 0 (expected: 1..65535)");
    }

    @Test
    void rejectsTruncatedDocument() {
        String text = RECORDED.strip();
        for (int length = 0; length < text.length(); length++) {
            String prefix = text.substring(0, length);
            assertThatThrownBy(() -> read(prefix)).isInstanceOf(IOException.class);
        }
    }

    private static BackendSet read(String text) throws IOException {
        return ServiceInstances.read(text.getBytes(StandardCharsets.UTF_8));
    }
}
