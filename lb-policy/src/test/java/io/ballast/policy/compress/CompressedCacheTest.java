package io.ballast.policy.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.cache.CachePolicy;
import io.ballast.policy.config.CacheConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.TestPolicies;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the cache stores responses before they are compressed. */
class CompressedCacheTest {

    @ParameterizedTest
    @EnumSource
    void eachClientGetsItsEncoding(HttpVersion version) throws Exception {
        String text = CompressionSetup.text(100_000);
        Script script = Script.answer("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Type: text/plain\r\n"
                + "Content-Length: " + text.length() + "\r\n\r\n" + text);
        try (TestPolicies policies = new TestPolicies();
                TestBackend backend = TestBackend.playing(script);
                TestBalancer balancer = CompressionSetup.before(backend, CompressionSetup.gzip())
                        .policies(cache(policies), CompressionSetup.gzip())
                        .start()) {
            for (int i = 0; i < 2; i++) {
                ReceivedResponseText packed = version.fetch(balancer, "GET", "accept-encoding", "gzip");
                ReceivedResponseText plain = version.fetch(balancer, "GET");

                assertThat(packed.isCompressed()).isTrue();
                assertThat(packed.text()).isEqualTo(text);
                assertThat(plain.isCompressed()).isFalse();
                assertThat(plain.text()).isEqualTo(text);
            }
            assertThat(backend.requests()).hasSize(1);
        }
    }

    /**
     * Tests that the cache receives the whole response although the client of the compressed response does not read.
     */
    @ParameterizedTest
    @EnumSource
    void aSlowClientDoesNotDelayOthers(HttpVersion version) throws Exception {
        String text = CompressionSetup.denseText(8 * 1024 * 1024);
        Script script = Script.answer("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Type: text/plain\r\n"
                + "Content-Length: " + text.length() + "\r\n\r\n" + text);
        try (TestPolicies policies = new TestPolicies();
                TestBackend backend = TestBackend.playing(script);
                TestBalancer balancer = CompressionSetup.before(backend, CompressionSetup.gzip())
                        .policies(cache(policies), CompressionSetup.gzip())
                        .start();
                RawClient slow = RawClient.connect(balancer.port(), /* receiveBuffer= */ 16 * 1024)) {
            slow.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
                    .readHead();

            ReceivedResponseText plain = version.fetch(balancer, "GET");

            assertThat(plain.text()).isEqualTo(text);
            assertThat(backend.requests()).hasSize(1);
        }
    }

    private static NamedPolicy cache(TestPolicies policies) {
        CacheConfig config = CacheConfig.ofMemory(64 * 1024 * 1024);
        return HttpRequests.named("cache", new CachePolicy(config, policies.environment(), new SipHash24(1, 2)));
    }
}
