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
    private final Function<Request, AdminResponse.Complete> backend;
    private final Function<Request, AdminResponse.Complete> pool;
    private final AsyncResponses replies;

    /**
     * @param backend returns the response for a request's backend; called on the dashboard's event loop
     * @param pool the same for pools
     */
    BackendRoutes(
            Optional<Membership> membership,
            Clock clock,
            Function<Request, AdminResponse.Complete> backend,
            Function<Request, AdminResponse.Complete> pool,
            AsyncResponses replies) {
        this.membership = membership;
        this.clock = clock;
        this.backend = backend;
        this.pool = pool;
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
        return order(
                request,
                parameters -> {
                    String address = parameters
                            .address()
                            .orElseThrow(() -> new IllegalArgumentException(
                                    "address: none (expected: the address of the new backend)"));
                    Request named = request.with(ADDRESS, address);
                    return later(
                            named,
                            backend,
                            present()
                                    .add(
                                            request.parameter("pool"),
                                            address,
                                            parameters.settings(),
                                            parameters.terms(clock.instant())));
                },
                OverrideParameters::ofAddition);
    }

    private AdminResponse set(Request request) {
        return order(
                request,
                parameters -> later(
                        request,
                        backend,
                        present()
                                .set(
                                        request.parameter("pool"),
                                        request.parameter(ADDRESS),
                                        parameters.settings(),
                                        parameters.terms(clock.instant()),
                                        parameters.isConfirmed())),
                OverrideParameters::ofSettings);
    }

    private AdminResponse remove(Request request) {
        return order(
                request,
                parameters -> later(
                        request,
                        pool,
                        present()
                                .remove(
                                        request.parameter("pool"),
                                        request.parameter(ADDRESS),
                                        parameters.terms(clock.instant()),
                                        parameters.isConfirmed())),
                OverrideParameters::ofRemoval);
    }

    private AdminResponse reset(Request request) {
        return order(
                request,
                parameters -> later(
                        parameters
                                .address()
                                .map(address -> request.with(ADDRESS, address))
                                .orElse(request),
                        pool,
                        present()
                                .reset(
                                        request.parameter("pool"),
                                        parameters.address(),
                                        parameters.terms(clock.instant()),
                                        parameters.isConfirmed())),
                OverrideParameters::ofReset);
    }

    /** Lists the changes of a pool; an empty list if membership is not supported. */
    private AdminResponse changes(Request request) {
        AdminResponse.Complete unused = pool.apply(request);
        unused.body().release();
        return AdminResponse.json(ChangeJson.changes(membership
                .map(present -> present.changes(request.parameter("pool")))
                .orElse(List.of())));
    }

    private static AdminResponse order(
            Request request,
            Function<OverrideParameters, AdminResponse> order,
            Function<Request, OverrideParameters> reader) {
        return AsyncResponses.checked(() -> order.apply(reader.apply(request)));
    }

    private Membership present() {
        return membership.orElseThrow(
                () -> HttpProblem.of(HttpResponseStatus.NOT_IMPLEMENTED, "this process cannot add or remove backends"));
    }

    private AdminResponse later(
            Request request, Function<Request, AdminResponse.Complete> subject, CompletableFuture<Outcome> outcome) {
        return replies.when(outcome, request, done -> reply(request, subject, done));
    }

    private static AdminResponse.Complete reply(
            Request request, Function<Request, AdminResponse.Complete> subject, Outcome outcome) {
        String pool = request.parameter("pool");
        return switch (outcome.kind()) {
            case DONE -> subject.apply(request);
            case NO_SUCH_POOL ->
                HttpProblem.notFound("there is no pool " + pool).reply();
            case NO_SUCH_BACKEND ->
                HttpProblem.notFound("pool " + pool + " has no such backend, or the backend has no change to reset")
                        .reply();
            case ALREADY_THERE -> conflict("pool " + pool + " already has this backend");
            case LAST_USABLE ->
                conflict("pool " + pool
                        + " would have no usable backend left; repeat with confirm=true to do it anyway");
            case REFUSED -> conflict(outcome.text());
        };
    }

    private static AdminResponse.Complete conflict(String text) {
        return HttpProblem.of(HttpResponseStatus.CONFLICT, text).reply();
    }
}
