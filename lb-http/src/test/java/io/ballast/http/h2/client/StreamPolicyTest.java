package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.Refusal;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests policies with features that only HTTP/2 has: gRPC, resets and several requests at a time. */
class StreamPolicyTest {

    @ParameterizedTest
    @CsvSource({"401, 16", "403, 7", "404, 12", "429, 8", "503, 14"})
    void grpcCallGetsGrpcStatus(int status, String code) throws Exception {
        TestPolicy policy = new TestPolicy("p", Phase.IDENTITY, exchange -> new Refusal(status, "denied", ""));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, policy).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int call = client.request(/* ends= */ true, "POST", "/Service/Call", "content-type", "application/grpc");
            Http2Response response = client.read(call);

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.header("grpc-status")).isEqualTo(code);
            assertThat(response.header("grpc-message")).isEqualTo("denied");
            assertThat(policy.count(PolicyCounter.REFUSED)).isOne();
        }
    }

    @Test
    void resetCancelsPendingDecisionOfItsStreamOnly() throws Exception {
        CompletableFuture<PolicyDecision> first = new CompletableFuture<>();
        CompletableFuture<PolicyDecision> second = new CompletableFuture<>();
        TestPolicy policy = new TestPolicy(
                "p",
                Phase.IDENTITY,
                exchange -> new PendingDecision(first.getNumberOfDependents() == 0 ? first : second));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, policy).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int reset = client.get("/first");
            int kept = client.get("/second");
            balancer.await("both are asked", () -> second.getNumberOfDependents() > 0);
            client.send(FrameBytes.reset(reset, ErrorCode.CANCEL.ordinal()));
            balancer.await("the first is cancelled", first::isCancelled);
            second.complete(PolicyDecision.PASS);

            assertThat(client.read(kept).body()).isEqualTo("hello");
            assertThat(policy.ends()).containsExactly(200);
        }
    }

    private static BalancerSetup before(TestBackend backend, TestPolicy policy) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(policy.named());
    }
}
