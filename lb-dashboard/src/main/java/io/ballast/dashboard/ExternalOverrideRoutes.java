package io.ballast.dashboard;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.balance.Member;
import io.ballast.core.health.ExternalOverrides;
import io.ballast.core.health.ExternalOverrides.Outcome;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.dashboard.config.OverrideScope;
import io.ballast.dashboard.config.Role;
import io.ballast.dashboard.document.ExternalOverridesJson;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Sets, lists and removes overrides of external sources. A token of the role {@link Role#OVERRIDE} has access only to
 * the overrides of its own source in its own pools.
 */
final class ExternalOverrideRoutes {

    private static final String ALL = "/api/v1/overrides";
    private static final String BACKEND = ALL + "/{pool}/{backend}";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;

    private final Optional<ExternalOverrides> overrides;
    private final Supplier<Topology> topology;
    private final Supplier<Duration> maxLifetime;
    private final Clock clock;
    private final AsyncResponses responses;

    /** @param maxLifetime the longest time until an override expires */
    ExternalOverrideRoutes(
            Optional<ExternalOverrides> overrides,
            Supplier<Topology> topology,
            Supplier<Duration> maxLifetime,
            Clock clock,
            AsyncResponses responses) {
        this.overrides = overrides;
        this.topology = topology;
        this.maxLifetime = maxLifetime;
        this.clock = clock;
        this.responses = responses;
    }

    void addTo(Router router) {
        router.getScoped(ALL, this::list);
        router.getScoped(BACKEND, this::ofBackend);
        router.put(BACKEND, Role.OVERRIDE, this::set);
        router.delete(BACKEND, Role.OVERRIDE, this::remove);
    }

    private AdminResponse list(Request request) {
        int offset = QueryParameters.number(request, "offset", 0, 0, ExternalOverrides.MAX_OVERRIDES);
        int limit = QueryParameters.number(request, "limit", DEFAULT_LIMIT, 0, MAX_LIMIT);
        Optional<String> pool = QueryParameters.text(request, "pool");
        Optional<String> source = QueryParameters.text(request, "source");
        Optional<OverrideScope> scope = request.caller().scope();
        List<ExternalOverride> matching = overrides.map(ExternalOverrides::all).orElse(List.of()).stream()
                .filter(each -> pool.isEmpty() || pool.get().equals(each.pool()))
                .filter(each -> source.isEmpty() || source.get().equals(each.source()))
                .filter(each -> scope.isEmpty()
                        || (scope.get().includes(each.pool())
                                && scope.get().source().equals(each.source())))
                .toList();
        BackendIndex backends = new BackendIndex(topology.get());
        return AdminResponse.json(ExternalOverridesJson.page(
                matching.stream().skip(offset).limit(limit).toList(),
                matching.size(),
                backends::find,
                clock.instant()));
    }

    private AdminResponse.Complete ofBackend(Request request) {
        requirePool(request);
        String name = request.parameter("pool");
        String address = request.parameter("backend");
        Pool pool = Optional.ofNullable(topology.get().pools().get(name))
                .orElseThrow(() -> HttpProblem.notFound("there is no pool " + name));
        Backend backend = pool.members().stream()
                .map(Member::backend)
                .filter(each -> each.address().toString().equals(address))
                .findFirst()
                .orElseThrow(() -> HttpProblem.notFound("pool " + name + " has no backend " + address));
        return AdminResponse.json(ExternalOverridesJson.ofBackend(
                backend, request.caller().scope().map(OverrideScope::source), clock.instant()));
    }

    private AdminResponse set(Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            requirePool(request);
            ExternalOverrideParameters parameters = ExternalOverrideParameters.of(request);
            ExternalOverride override = parameters.override(
                    request.parameter("pool"), request.parameter("backend"), clock.instant(), maxLifetime.get());
            return replyWhenComplete(
                    request, override.source(), requireOverrides().set(override, parameters.isConfirmed()));
        });
    }

    private AdminResponse remove(Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            requirePool(request);
            String source = ExternalOverrideParameters.source(request);
            ExternalOverride.Key key =
                    new ExternalOverride.Key(request.parameter("pool"), request.parameter("backend"), source);
            String who = request.caller().name().orElse(source);
            return replyWhenComplete(request, source, requireOverrides().remove(key, who));
        });
    }

    /** Throws {@link HttpProblem} 403 if the caller's token does not include the pool, whether it exists or not. */
    private static void requirePool(Request request) {
        String pool = request.parameter("pool");
        Optional<OverrideScope> scope = request.caller().scope();
        if (scope.isPresent() && !scope.get().includes(pool)) {
            throw HttpProblem.of(
                    HttpResponseStatus.FORBIDDEN,
                    "pool: " + pool + " (expected: "
                            + String.join(" or ", scope.get().pools()) + ", the pools of this token)");
        }
    }

    private ExternalOverrides requireOverrides() {
        return overrides.orElseThrow(() ->
                HttpProblem.of(HttpResponseStatus.NOT_IMPLEMENTED, "this process does not support external overrides"));
    }

    private AdminResponse replyWhenComplete(Request request, String source, CompletableFuture<Outcome> outcome) {
        return responses.respondWhenComplete(outcome, request, done -> reply(request, source, done));
    }

    private AdminResponse.Complete reply(Request request, String source, Outcome outcome) {
        String pool = request.parameter("pool");
        String backend = request.parameter("backend");
        return switch (outcome) {
            case DONE -> ofBackend(request);
            case PENDING -> ofBackend(request).withStatus(HttpResponseStatus.ACCEPTED);
            case NO_SUCH_POOL -> PoolReplies.noSuchPool(pool);
            case NO_SUCH_BACKEND ->
                HttpProblem.notFound("pool " + pool + " has no backend " + backend)
                        .reply();
            case NO_SUCH_OVERRIDE ->
                HttpProblem.notFound("there is no override of " + pool + "/" + backend + " by " + source)
                        .reply();
            case LAST_USABLE ->
                PoolReplies.conflict(backend + " is the last usable backend of pool " + pool
                        + "; repeat with confirm=true to take it out anyway");
            case TOO_MANY_SOURCES ->
                PoolReplies.conflict(ExternalOverrides.MAX_SOURCES + " sources override " + pool + "/" + backend
                        + " already; remove one of their overrides first");
            case TOO_MANY ->
                PoolReplies.conflict("there are " + ExternalOverrides.MAX_OVERRIDES
                        + " overrides already; remove one of them first");
        };
    }

    /** Finds the backends of overrides. Reads each pool once. */
    private static final class BackendIndex {

        private final Topology topology;
        private final Map<String, Map<String, Backend>> pools = new HashMap<>();

        BackendIndex(Topology topology) {
            this.topology = topology;
        }

        Optional<Backend> find(ExternalOverride override) {
            Map<String, Backend> backends = pools.computeIfAbsent(override.pool(), this::read);
            return Optional.ofNullable(backends.get(override.address()));
        }

        private Map<String, Backend> read(String name) {
            Map<String, Backend> backends = new HashMap<>();
            Optional.ofNullable(topology.pools().get(name))
                    .ifPresent(pool -> pool.members()
                            .forEach(member ->
                                    backends.put(member.backend().address().toString(), member.backend())));
            return backends;
        }
    }
}
