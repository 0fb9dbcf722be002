package io.ballast.agent.node;

import io.ballast.agent.config.AgentsConfig;
import io.ballast.agent.registry.AgentIdentity;
import io.ballast.agent.registry.AgentRefusal;
import io.ballast.agent.registry.AgentRegistry;
import io.ballast.agent.registry.BackendKey;
import io.ballast.agent.registry.Hashes;
import io.ballast.core.ErrorText;
import io.ballast.dashboard.access.LoginThrottle;
import io.ballast.dashboard.document.RoundTripJson;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.DnsServices.RoundTrip;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The routes of the API for agents. Each request has a bearer token: to register, the token of a pool; for all other
 * requests, the secret of the agent. Confined to the event loop of the node.
 */
final class AgentRoutes {

    static final String BASE = "/agents/v1";

    private static final String AGENT = BASE + "/{agent}";
    private static final String BEARER = "bearer ";

    /** The longest time for which a request waits for commands; shorter than the idle timeout of the server. */
    private static final int MAX_WAIT_SECONDS = 50;

    private final AgentsConfig config;
    private final AgentRegistry registry;
    private final CommandPolls polls;
    private final LongSupplier nanoTime;
    private final Consumer<List<RoundTrip>> learn;
    private final LoginThrottle throttle = new LoginThrottle();

    /** @param learn receives the round-trip times of clients */
    AgentRoutes(
            AgentsConfig config,
            AgentRegistry registry,
            CommandPolls polls,
            Consumer<List<RoundTrip>> learn,
            LongSupplier nanoTime) {
        this.learn = learn;
        this.config = config;
        this.registry = registry;
        this.polls = polls;
        this.nanoTime = nanoTime;
    }

    Router router() {
        return new Router()
                .forPrograms()
                .getPublic(BASE + "/openapi.json", request -> description())
                .putPublic(AGENT, this::register)
                .putPublic(AGENT + "/backends", this::report)
                .putWithoutBody(AGENT + "/heartbeat", this::repeat)
                .putPublic(AGENT + "/latency", this::learnLatency)
                .putPublic(AGENT + "/secret", this::replaceSecret)
                .getPublic(AGENT + "/commands", this::commands)
                .deletePublic(AGENT, this::deregister);
    }

    private static AdminResponse description() {
        try (InputStream file = Objects.requireNonNull(AgentRoutes.class.getResourceAsStream("openapi.json"))) {
            return AdminResponse.json(Unpooled.wrappedBuffer(file.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read openapi.json from the jar", e);
        }
    }

    private AdminResponse register(Request request) {
        String id = request.parameter("agent");
        String hash = ReportDocument.secretHash(request.body());
        requireNoWait(request);
        AgentIdentity identity = call(request, () -> registry.register(id, bearer(request), hash));
        return AdminResponse.json(JsonWriter.write(json -> json.object(() -> {
            json.field("agent", identity.id());
            json.field("status", identity.status());
            texts(json, "pools", identity.pools());
            texts(json, "pending_pools", identity.pendingPools());
            json.field("stale_seconds", config.stale().toSeconds());
            json.field("forget_seconds", config.forget().toSeconds());
        })));
    }

    private AdminResponse report(Request request) {
        String id = request.parameter("agent");
        List<AgentRegistry.Result> results = call(
                request,
                () -> registry.report(
                        id,
                        bearer(request),
                        ReportDocument.backends(request.body()),
                        Hashes.version(request.body()),
                        request.peer().address().getHostAddress()));
        return AdminResponse.json(JsonWriter.write(json -> json.object(() -> {
            json.field("agent", id);
            json.array(
                    "backends",
                    () -> results.forEach(each -> json.object(() -> {
                        json.field("pool", each.key().pool());
                        json.field("address", each.key().address().toString());
                        json.field("accepted", each.refusal().isEmpty());
                        if (!each.refusal().isEmpty()) {
                            json.field("reason", each.refusal());
                        }
                    })));
        })));
    }

    private AdminResponse repeat(Request request) {
        String version = request.query().getOrDefault("report", List.of("")).get(0);
        return call(request, () -> {
            registry.repeat(
                    request.parameter("agent"),
                    bearer(request),
                    version,
                    request.peer().address().getHostAddress());
            return noContent();
        });
    }

    private AdminResponse learnLatency(Request request) {
        Set<String> pools = call(request, () -> registry.poolsOf(request.parameter("agent"), bearer(request)));
        if (!config.latency()) {
            throw HttpProblem.notFound(
                    "this node does not accept round-trip times (expected: agents.latency: true in its configuration)");
        }
        try {
            learn.accept(RoundTripJson.read(request.body(), pools));
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        }
        return noContent();
    }

    private AdminResponse commands(Request request) {
        String id = request.parameter("agent");
        List<BackendKey> backends = call(request, () -> registry.backendsOf(id, bearer(request)));
        String known = request.query().getOrDefault("after", List.of("")).get(0);
        long now = nanoTime.getAsLong();
        return polls.poll(id, backends, known, now + wait(request).toNanos(), now);
    }

    private static Duration wait(Request request) {
        String text = request.query().getOrDefault("wait", List.of("0")).get(0);
        if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) > MAX_WAIT_SECONDS) {
            throw HttpProblem.badRequest("wait: " + text + " (expected: 0 to " + MAX_WAIT_SECONDS + " seconds)");
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }

    private AdminResponse replaceSecret(Request request) {
        String hash = ReportDocument.secretHash(request.body());
        return call(request, () -> {
            registry.replaceSecret(request.parameter("agent"), bearer(request), hash);
            return noContent();
        });
    }

    private AdminResponse deregister(Request request) {
        return call(request, () -> {
            registry.deregister(request.parameter("agent"), bearer(request));
            polls.end(request.parameter("agent"));
            return noContent();
        });
    }

    private static AdminResponse noContent() {
        return AdminResponse.text(HttpResponseStatus.OK, "done");
    }

    private static String bearer(Request request) {
        String header = request.header(HttpHeaderNames.AUTHORIZATION).orElse("");
        if (!header.regionMatches(/* ignoreCase= */ true, 0, BEARER, 0, BEARER.length())) {
            throw HttpProblem.unauthorized("the request has no bearer token (expected: Authorization: Bearer ...)");
        }
        return header.substring(BEARER.length()).trim();
    }

    /** Runs a request. Attempts with a wrong token or secret are counted for the client's address. */
    private <T> T call(Request request, Supplier<T> work) {
        try {
            return work.get();
        } catch (AgentRefusal refusal) {
            if (refusal.kind() == AgentRefusal.Kind.UNAUTHORIZED) {
                requireNoWait(request);
                throttle.countAttempt(request.peer().address(), nanoTime.getAsLong());
            }
            throw problem(refusal);
        }
    }

    /**
     * Refuses a request from an address with many failed attempts. This check precedes the comparison of the token. A
     * request with the right secret of an agent is never refused, because other agents may have the same address.
     */
    private void requireNoWait(Request request) {
        Duration wait = throttle.remainingWait(request.peer().address(), nanoTime.getAsLong());
        if (!wait.isZero()) {
            throw HttpProblem.retryLater(
                    HttpResponseStatus.TOO_MANY_REQUESTS,
                    "too many requests of this address had a wrong token or secret; try again later",
                    wait);
        }
    }

    private static HttpProblem problem(AgentRefusal refusal) {
        return switch (refusal.kind()) {
            case UNAUTHORIZED, UNKNOWN -> HttpProblem.unauthorized(refusal.text());
            case REVOKED -> HttpProblem.of(HttpResponseStatus.FORBIDDEN, refusal.text());
            case CONFLICT, OUTDATED -> HttpProblem.of(HttpResponseStatus.CONFLICT, refusal.text());
            case INVALID -> HttpProblem.badRequest(refusal.text());
            case FULL ->
                HttpProblem.retryLater(HttpResponseStatus.SERVICE_UNAVAILABLE, refusal.text(), Duration.ofMinutes(1));
        };
    }

    private static void texts(JsonWriter json, String name, List<String> texts) {
        json.array(name, () -> texts.forEach(json::value));
    }
}
