package io.ballast.dashboard;

import io.ballast.core.pool.Membership;
import io.ballast.core.pool.Membership.Outcome;
import io.ballast.dashboard.document.ChangeJson;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Adds, changes and removes backends at run time, and lists these changes. */
final class BackendRoutes {

    private static final String POOL = "/api/v1/pools/{pool}";
    private static final String ADDRESS = "backend";

    private final Optional<Membership> membership;
    private final Clock clock;
    private final PoolReplies replies;

    BackendRoutes(Optional<Membership> membership, Clock clock, PoolReplies replies) {
        this.membership = membership;
        this.clock = clock;
        this.replies = replies;
    }

    void addTo(Router router) {
        router.command(POOL + "/backends", this::add);
        router.put(POOL + "/backends/{backend}", this::set);
        router.delete(POOL + "/backends/{backend}", this::remove);
        router.get(POOL + "/changes", this::changes);
        router.delete(POOL + "/changes", this::reset);
    }

    private AdminResponse add(Request request) {
        return execute(
                request,
                parameters -> {
                    String address = parameters
                            .address()
                            .orElseThrow(() -> new IllegalArgumentException(
                                    "parameter address is missing (expected: the address of the new backend)"));
                    Request named = request.with(ADDRESS, address);
                    return replyWhenComplete(
                            named,
                            replies.backend(),
                            requireMembership()
                                    .add(
                                            request.parameter("pool"),
                                            address,
                                            parameters.settings(),
                                            parameters.terms(clock.instant())));
                },
                OverrideParameters::ofAddition);
    }

    private AdminResponse set(Request request) {
        return execute(
                request,
                parameters -> replyWhenComplete(
                        request,
                        replies.backend(),
                        requireMembership()
                                .set(
                                        request.parameter("pool"),
                                        request.parameter(ADDRESS),
                                        parameters.settings(),
                                        parameters.terms(clock.instant()),
                                        parameters.isConfirmed())),
                OverrideParameters::ofSettings);
    }

    private AdminResponse remove(Request request) {
        return execute(
                request,
                parameters -> replyWhenComplete(
                        request,
                        replies.pool(),
                        requireMembership()
                                .remove(
                                        request.parameter("pool"),
                                        request.parameter(ADDRESS),
                                        parameters.terms(clock.instant()),
                                        parameters.isConfirmed())),
                OverrideParameters::ofRemoval);
    }

    private AdminResponse reset(Request request) {
        return execute(
                request,
                parameters -> replyWhenComplete(
                        parameters
                                .address()
                                .map(address -> request.with(ADDRESS, address))
                                .orElse(request),
                        replies.pool(),
                        requireMembership()
                                .reset(
                                        request.parameter("pool"),
                                        parameters.address(),
                                        parameters.terms(clock.instant()),
                                        parameters.isConfirmed())),
                OverrideParameters::ofReset);
    }

    /** Lists the run-time changes of a pool's backends; empty if such changes are not supported. */
    private AdminResponse changes(Request request) {
        AdminResponse.Complete unused = replies.pool().apply(request);
        unused.body().release();
        return AdminResponse.json(ChangeJson.changes(membership
                .map(present -> present.changes(request.parameter("pool")))
                .orElse(List.of())));
    }

    private static AdminResponse execute(
            Request request,
            Function<OverrideParameters, AdminResponse> order,
            Function<Request, OverrideParameters> reader) {
        return AsyncResponses.runOrBadRequest(() -> order.apply(reader.apply(request)));
    }

    private Membership requireMembership() {
        return membership.orElseThrow(
                () -> HttpProblem.of(HttpResponseStatus.NOT_IMPLEMENTED, "this process cannot add or remove backends"));
    }

    private AdminResponse replyWhenComplete(
            Request request, Function<Request, AdminResponse.Complete> subject, CompletableFuture<Outcome> outcome) {
        return replies.whenComplete(outcome, request, done -> reply(request, subject, done));
    }

    private static AdminResponse.Complete reply(
            Request request, Function<Request, AdminResponse.Complete> subject, Outcome outcome) {
        String pool = request.parameter("pool");
        return switch (outcome.kind()) {
            case DONE -> subject.apply(request);
            case PENDING -> subject.apply(request).withStatus(HttpResponseStatus.ACCEPTED);
            case NO_SUCH_POOL -> PoolReplies.noSuchPool(pool);
            case NO_SUCH_BACKEND ->
                HttpProblem.notFound("pool " + pool + " has no such backend, or the backend has no change to reset")
                        .reply();
            case ALREADY_THERE -> PoolReplies.conflict("pool " + pool + " already has this backend");
            case LAST_USABLE ->
                PoolReplies.conflict("pool " + pool
                        + " would have no usable backend left; repeat with confirm=true to do it anyway");
            case REFUSED -> PoolReplies.conflict(outcome.text());
        };
    }
}
