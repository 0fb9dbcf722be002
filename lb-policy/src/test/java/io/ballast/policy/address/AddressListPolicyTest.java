package io.ballast.policy.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.Cidr;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.AddressListConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import io.ballast.policy.testing.TestPolicies;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AddressListPolicyTest {

    @ParameterizedTest
    @CsvSource({
        "'', 10.0.0.0/8, false, 200",
        "'', 127.0.0.0/8, false, 403",
        "127.0.0.1/32, 127.0.0.0/8, false, 200",
        "127.0.0.0/8, '', true, 200",
        "10.0.0.0/8, '', true, 403",
    })
    void allowedNetworksTakePrecedence(String allow, String deny, boolean denyAll, int status) throws Exception {
        AddressListConfig config =
                AddressListConfig.ofNetworks(networks(allow), networks(deny), denyAll, /* closes= */ true);
        try (TestPolicies setup = new TestPolicies();
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .policies(TestPolicies.named(new AddressListPolicy(config, setup.environment())))
                        .start();
                RawClient client = balancer.client()) {
            RawResponse response =
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read();

            assertThat(response.status()).isEqualTo(status);
            assertThat(response.header("Connection")).isEqualTo(status == 403 ? "close" : null);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusalKeepsTheConnectionByDefault(HttpRequests http) throws Exception {
        AddressListConfig config =
                AddressListConfig.ofNetworks(List.of(), List.of(), /* denyAll= */ true, /* closes= */ false);
        try (TestPolicies setup = new TestPolicies();
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        TestPolicies.start(backend, new AddressListPolicy(config, setup.environment()))) {
            Answer refused = http.get(balancer, "/");

            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.headers("Connection")).isEmpty();
            assertThat(backend.connections()).isZero();
        }
    }

    private static List<Cidr> networks(String text) {
        return text.isEmpty() ? List.of() : List.of(Cidr.parse(text));
    }
}
