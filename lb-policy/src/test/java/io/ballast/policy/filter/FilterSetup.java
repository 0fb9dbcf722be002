package io.ballast.policy.filter;

import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.config.FilterConfig.OnError;
import io.ballast.policy.filter.jar.FilterJar;
import io.ballast.policy.testing.TestPolicies;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A balancer whose requests pass a filter that is compiled from {@link #SOURCE}. */
final class FilterSetup implements AutoCloseable {

    static final String FACTORY = "test.TestFilterFactory";

    /** The source of a filter whose settings select its actions. */
    static final String SOURCE = """
            package test;

            import io.ballast.filter.*;
            import java.nio.charset.StandardCharsets;
            import java.util.*;
            import java.util.concurrent.*;

            public class TestFilterFactory implements FilterFactory {
                @Override
                public Filter create(FilterSettings settings) {
                    return new TestFilter(settings);
                }

                static final class TestFilter implements Filter {
                    private final FilterSettings settings;

                    TestFilter(FilterSettings settings) {
                        this.settings = settings;
                    }

                    @Override
                    public BodyAccess requestBody() {
                        int max = (int) settings.number("body").orElse(0);
                        return settings.flag("start").orElse(false) ? BodyAccess.start(max) : BodyAccess.whole(max);
                    }

                    @Override
                    public List<String> requestHeaders() {
                        return settings.texts("own_headers");
                    }

                    @Override
                    public boolean changesResponses() {
                        return settings.text("response").isPresent();
                    }

                    @Override
                    public CompletionStage<RequestResult> onRequest(FilterRequest request) throws Exception {
                        return CompletableFuture.completedFuture(decide(request));
                    }

                    private RequestResult decide(FilterRequest request) throws Exception {
                        switch (settings.text("request").orElse("pass")) {
                            case "answer":
                                return RequestResult.answer(
                                        FilterAnswer.text(403, "no").withHeader("X-Filter", "answered"));
                            case "throw":
                                throw new IllegalStateException("a fault");
                            case "null":
                                return null;
                            case "sleep":
                                new CountDownLatch(1).await();
                                return RequestResult.pass();
                            case "edit":
                                return RequestResult.pass(
                                        HeaderEdits.NONE
                                                .set("X-Set", "new")
                                                .append("X-Append", "more")
                                                .remove("X-Remove"),
                                        HeaderEdits.NONE.set("Server", "filtered").append("X-Request", "seen"));
                            case "describe":
                                return RequestResult.answer(FilterAnswer.text(200, describe(request)));
                            case "body":
                                return RequestResult.pass(HeaderEdits.NONE.set(
                                        "X-Body", request.body().text(StandardCharsets.UTF_8) + " " + request.body().isComplete()));
                            default:
                                return RequestResult.pass();
                        }
                    }

                    private static String describe(FilterRequest request) {
                        return String.join(" ", request.method(), request.path(), request.normalPath(),
                                request.query().orElse("-"), request.host().orElse("-"),
                                request.client().map(Object::toString).orElse("-"),
                                request.tlsServerName().orElse("-"), request.identity().orElse("-"),
                                request.headers().first("x-test").orElse("-"));
                    }

                    @Override
                    public CompletionStage<HeaderEdits> onResponse(FilterRequest request, FilterResponse response)
                            throws Exception {
                        switch (settings.text("response").get()) {
                            case "throw":
                                throw new IllegalStateException("a fault");
                            case "sleep":
                                new CountDownLatch(1).await();
                                return null;
                            default:
                                return CompletableFuture.supplyAsync(() -> HeaderEdits.NONE
                                        .remove("X-Private")
                                        .append("X-Status", response.status() + " " + request.method()));
                        }
                    }
                }
            }
            """;

    private final TestPolicies testing = new TestPolicies();
    private final NamedPolicy policy;
    private final TestBalancer balancer;

    private FilterSetup(FilterConfig config, TestBackend backend, NamedPolicy... others) throws Exception {
        policy = new NamedPolicy(
                "tested",
                "filter",
                new FilterPolicy(config, RunningFilter.create(config, testing.environment())),
                /* dryRun= */ false,
                new Counters<>(PolicyCounter.class, 2));
        NamedPolicy[] all = new NamedPolicy[others.length + 1];
        System.arraycopy(others, 0, all, 0, others.length);
        all[others.length] = policy;
        balancer = BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(all)
                .start();
    }

    static FilterSetup start(FilterConfig config, TestBackend backend, NamedPolicy... others) throws Exception {
        return new FilterSetup(config, backend, others);
    }

    static FilterConfig config(Path jar, Map<String, Object> settings) {
        return FilterConfig.of(FilterJar.read(jar), settings);
    }

    static FilterConfig config(Path jar, Map<String, Object> settings, Duration deadline, OnError onError) {
        return config(jar, settings, deadline, onError, FilterConfig.DEFAULT_THREADS, FilterConfig.DEFAULT_QUEUE);
    }

    static FilterConfig config(
            Path jar, Map<String, Object> settings, Duration deadline, OnError onError, int threads, int queue) {
        return new FilterConfig(
                FilterJar.read(jar),
                Optional.of(FACTORY),
                settings,
                deadline,
                onError,
                FilterConfig.DEFAULT_MAX_BODY,
                threads,
                queue);
    }

    TestBalancer balancer() {
        return balancer;
    }

    long calls(String outcome) {
        return policy.policy().results().get(outcome);
    }

    long count(PolicyCounter counter) {
        return policy.counters().sum(counter);
    }

    void closePolicy() {
        policy.policy().close();
    }

    @Override
    public void close() {
        balancer.close();
        closePolicy();
        testing.close();
    }
}
