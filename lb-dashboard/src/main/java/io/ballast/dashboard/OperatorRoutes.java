package io.ballast.dashboard;

import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.Operator;
import io.ballast.core.health.Operator.Outcome;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Drains backends, takes them down and enables them again. The response is the resulting state of the backend. */
final class OperatorRoutes {

    private static final String POOL = "/api/v1/pools/{pool}/";
    private static final String BACKEND = POOL + "backends/{backend}/";

    private final Optional<Operator> operator;
    private final Clock clock;
    private final PoolReplies replies;

    OperatorRoutes(Optional<Operator> operator, Clock clock, PoolReplies replies) {
        this.operator = operator;
        this.clock = clock;
        this.replies = replies;
    }

    void addTo(Router router) {
        for (StateOverride.Kind kind : StateOverride.Kind.values()) {
            router.command(BACKEND + kind.label(), request -> overrideState(kind, request));
        }
        router.command(BACKEND + "enable", this::enable);
        router.command(BACKEND + "weight", this::overrideWeight);
        router.command(POOL + "maintenance", this::startMaintenance);
        router.command(POOL + "serve", this::endMaintenance);
    }

    private AdminResponse overrideState(StateOverride.Kind kind, Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            OverrideParameters parameters = OverrideParameters.ofStateOverride(kind, request);
            return replyWhenComplete(
                    request,
                    requireOperator()
                            .overrideState(
                                    request.parameter("pool"),
                                    request.parameter("backend"),
                                    parameters.stateOverride(kind, clock.instant()),
                                    parameters.isConfirmed()));
        });
    }

    private AdminResponse overrideWeight(Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            OverrideParameters parameters = OverrideParameters.ofWeight(request);
            String pool = request.parameter("pool");
            String address = request.parameter("backend");
            Optional<WeightOverride> order = parameters.weight(clock.instant());
            return replyWhenComplete(
                    request,
                    order.isPresent()
                            ? requireOperator().overrideWeight(pool, address, order.get(), parameters.isConfirmed())
                            : requireOperator().removeWeightOverride(pool, address, parameters.authorAndReason()));
        });
    }

    private AdminResponse enable(Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            OverrideParameters parameters = OverrideParameters.ofOverrideEnd(request);
            return replyWhenComplete(
                    request,
                    requireOperator()
                            .enable(
                                    request.parameter("pool"),
                                    request.parameter("backend"),
                                    parameters.authorAndReason()));
        });
    }

    private AdminResponse startMaintenance(Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            OverrideParameters parameters = OverrideParameters.ofMaintenance(request);
            return replyWhenComplete(
                    request,
                    replies.pool(),
                    requireOperator().startMaintenance(request.parameter("pool"), parameters.terms(clock.instant())));
        });
    }

    private AdminResponse endMaintenance(Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            OverrideParameters parameters = OverrideParameters.ofOverrideEnd(request);
            return replyWhenComplete(
                    request,
                    replies.pool(),
                    requireOperator().endMaintenance(request.parameter("pool"), parameters.authorAndReason()));
        });
    }

    private Operator requireOperator() {
        return operator.orElseThrow(() -> HttpProblem.of(
                HttpResponseStatus.NOT_IMPLEMENTED, "this process does not support overrides of backends"));
    }

    private AdminResponse replyWhenComplete(Request request, CompletableFuture<Outcome> outcome) {
        return replyWhenComplete(request, replies.backend(), outcome);
    }

    private AdminResponse replyWhenComplete(
            Request request, Function<Request, AdminResponse.Complete> subject, CompletableFuture<Outcome> outcome) {
        return replies.whenComplete(outcome, request, done -> reply(request, subject, done));
    }

    private static AdminResponse.Complete reply(
            Request request, Function<Request, AdminResponse.Complete> subject, Outcome outcome) {
        String pool = request.parameter("pool");
        return switch (outcome) {
            case DONE -> subject.apply(request);
            case PENDING -> subject.apply(request).withStatus(HttpResponseStatus.ACCEPTED);
            case NO_SUCH_POOL -> PoolReplies.noSuchPool(pool);
            case NO_SUCH_BACKEND ->
                HttpProblem.notFound("pool " + pool + " has no backend " + request.parameter("backend"))
                        .reply();
            case LAST_USABLE ->
                PoolReplies.conflict(request.parameter("backend") + " is the last usable backend of pool " + pool
                        + "; repeat with confirm=true to take it out anyway");
        };
    }
}
