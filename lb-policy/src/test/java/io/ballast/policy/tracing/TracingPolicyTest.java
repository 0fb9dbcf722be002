package io.ballast.policy.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.Cidr;
import io.ballast.core.stats.Counters;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.AccessLogConfig.Format;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.http.trace.TraceSink;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.TracingConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which trace headers backends receive. */
class TracingPolicyTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";
    private static final String UNSAMPLED = "00-" + TRACE + "-b7ad6b7169203331-00";
    private static final String LINE = "traceparent: 00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]";

    private static TracingConfig sampling(int millionths) {
        return new TracingConfig(millionths, false, List.of(), true, false);
    }

    private static TracingConfig trusting(String network, boolean honorsSampled) {
        return new TracingConfig(0, false, List.of(Cidr.parse(network)), honorsSampled, false);
    }

    private static final TracingConfig ALL = sampling(TracingConfig.ALL);
    private static final TracingConfig TRUSTING = trusting("127.0.0.0/8", /* honorsSampled= */ true);

    @TempDir
    private Path directory;

    private static NamedPolicy named(TracingConfig config, boolean dryRun) {
        TracingPolicy policy = new TracingPolicy(config, TraceSink.NONE);
        return new NamedPolicy("trace", config.kind(), policy, dryRun, new Counters<>(PolicyCounter.class, 2));
    }

    private static BalancerSetup before(TestBackend backend, TracingConfig config) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(named(config, /* dryRun= */ false));
    }

    /** Returns the trace headers of the request that the backend has echoed. */
    private static List<String> received(Answer answer) {
        assertThat(answer.status()).isEqualTo(200);
        return Arrays.stream(answer.body().split("\r\n"))
                .filter(line -> line.toLowerCase(Locale.ROOT).matches("trace[-_]?(parent|state).*"))
                .toList();
    }

    private static List<String> forwarded(HttpRequests http, TracingConfig config, String... headers) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(backend, config).start()) {
            return received(http.get(balancer, "/", headers));
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestWithoutTraceGetsOne(HttpRequests http) throws Exception {
        assertThat(forwarded(http, ALL))
                .singleElement()
                .asString()
                .matches(LINE)
                .endsWith("-01");
        assertThat(forwarded(http, sampling(0)))
                .singleElement()
                .asString()
                .matches(LINE)
                .endsWith("-00");
    }

    @Test
    void shareOfRequestsIsSampled() throws Exception {
        int requests = 2000;
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, sampling(TracingConfig.ALL / 4))
                        .loops(1)
                        .start()) {
            balancer.queryConcurrently(/* clients= */ 1, requests, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            long sampled = backend.requests().stream()
                    .filter(request -> request.matches("(?s).*" + LINE.replace("0[01]", "01") + "\r\n.*"))
                    .count();

            // The seed of the random numbers is fixed. The standard deviation of a binomial distribution is 19.
            assertThat(backend.requests()).hasSize(requests);
            assertThat(sampled).isBetween(420L, 580L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void strangersTraceIsReplaced(HttpRequests http) throws Exception {
        List<String> lines = forwarded(http, sampling(0), "TraceParent", PARENT, "tracestate", "a=b");

        assertThat(lines)
                .singleElement()
                .asString()
                .matches(LINE)
                .endsWith("-00")
                .doesNotContain(TRACE);
    }

    @ParameterizedTest
    @EnumSource
    void trustedTraceIsContinued(HttpRequests http) throws Exception {
        List<String> lines = forwarded(http, TRUSTING, "traceparent", PARENT, "tracestate", "a=1", "Tracestate", "b=2");

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("traceparent: 00-" + TRACE + "-").endsWith("-01");
        assertThat(lines.get(0)).doesNotContain("b7ad6b7169203331").matches(LINE);
        assertThat(lines.get(1)).isEqualTo("tracestate: a=1,b=2");
    }

    @ParameterizedTest
    @EnumSource
    void flagOfTrustedClientDecides(HttpRequests http) throws Exception {
        TracingConfig all = new TracingConfig(TracingConfig.ALL, true, List.of(), true, false);
        TracingConfig ignoring = new TracingConfig(TracingConfig.ALL, true, List.of(), false, false);

        assertThat(forwarded(http, all, "traceparent", UNSAMPLED).get(0)).endsWith("-00");
        assertThat(forwarded(http, ignoring, "traceparent", UNSAMPLED).get(0)).endsWith("-01");
        assertThat(forwarded(http, trusting("127.0.0.1", false), "traceparent", PARENT)
                        .get(0))
                .contains(TRACE)
                .endsWith("-00");
    }

    @ParameterizedTest
    @EnumSource
    void otherNetworksAreNotTrusted(HttpRequests http) throws Exception {
        assertThat(forwarded(http, trusting("192.0.2.0/24", true), "traceparent", PARENT))
                .singleElement()
                .asString()
                .doesNotContain(TRACE)
                .endsWith("-00");
    }

    @ParameterizedTest
    @EnumSource
    void malformedAndRepeatedTracesAreReplaced(HttpRequests http) throws Exception {
        assertThat(forwarded(http, TRUSTING, "traceparent", PARENT, "traceparent", PARENT, "tracestate", "a=b"))
                .singleElement()
                .asString()
                .matches(LINE)
                .doesNotContain(TRACE);
        assertThat(forwarded(http, TRUSTING, "traceparent", PARENT.toUpperCase(Locale.ROOT)))
                .singleElement()
                .asString()
                .matches(LINE);
        assertThat(forwarded(http, TRUSTING, "traceparent", "x".repeat(5000), "tracestate", "y".repeat(5000)))
                .singleElement()
                .asString()
                .matches(LINE);
    }

    @ParameterizedTest
    @EnumSource
    void invalidStateIsDropped(HttpRequests http) throws Exception {
        List<String> lines = forwarded(http, TRUSTING, "traceparent", PARENT, "tracestate", "a=1", "tracestate", "A=1");

        assertThat(lines).singleElement().asString().contains(TRACE);
    }

    @ParameterizedTest
    @EnumSource
    void dryRunBeginsNoTrace(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .policies(named(ALL, /* dryRun= */ true))
                        .start()) {
            assertThat(received(http.get(balancer, "/"))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutPolicyHeadersPassUnchanged(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start()) {
            assertThat(received(http.get(balancer, "/", "traceparent", "what", "tracestate", "ever")))
                    .containsExactly("traceparent: what", "tracestate: ever");
        }
    }

    @ParameterizedTest
    @EnumSource
    void traceIdIsInTheAccessLog(HttpRequests http) throws Exception {
        Path log = directory.resolve("access.log");
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, TRUSTING)
                        .accessLog(new AccessLogConfig(log.toString(), Format.JSON, AccessLogConfig.MIN_QUEUE_BYTES))
                        .start()) {
            assertThat(http.get(balancer, "/", "traceparent", PARENT).status()).isEqualTo(200);
            balancer.awaitQuiet();
            balancer.frontend().close();

            assertThat(Files.readString(log)).contains("\"trace_id\":\"" + TRACE + "\"");
        }
    }

    @ParameterizedTest
    @EnumSource
    void traceIdIsInHeaderRulesAndErrorPages(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(backend, TRUSTING)
                        .headers(TestHeaderRules.response("X-Trace", "$trace_id"))
                        .start()) {
            assertThat(http.get(balancer, "/", "traceparent", PARENT).headers("X-Trace"))
                    .containsExactly(TRACE);
            balancer.goDown(0);
            Answer failed = http.get(balancer, "/", "traceparent", PARENT, "Accept", "application/json");

            assertThat(failed.status()).isEqualTo(503);
            assertThat(failed.body()).contains("\"trace_id\":\"" + TRACE + "\"");
            assertThat(failed.headers("X-Trace")).containsExactly(TRACE);
            assertThat(http.get(balancer, "/", "traceparent", PARENT).body()).contains("trace " + TRACE + "\n");
            assertThat(http.get(balancer, "/", "traceparent", PARENT, "Accept", "text/html")
                            .body())
                    .contains(", trace " + TRACE + "</p>");
        }
    }
}
