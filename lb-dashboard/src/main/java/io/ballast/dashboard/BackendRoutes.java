package io.ballast.dashboard;

import io.ballast.core.pool.Membership;
import io.ballast.core.pool.Membership.Outcome;
import io.ballast.dashboard.json.ChangeJson;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Adds backends to pools, changes them and removes them, and tells what was done so. */
final class BackendRoutes {

    private static final String POOL = "/api/v1/pools/{pool}";
    private static final String ADDRESS = "backend";

    private final Optional<Membership> membership;
    private final Clock clock;
    private final Function<Request, Reply.Full> backend;
    private final Function<Request, Reply.Full> pool;
    private final AwaitedReplies replies;

    /**
     * @param backend answers with the backend of a request; called on the event loop on which all this is served
     * @param pool the same for pools
     */
    BackendRoutes(
            Optional<Membership> membership,
            Clock clock,
            Function<Request, Reply.Full> backend,
            Function<Request, Reply.Full> pool,
            AwaitedReplies replies) {
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

    private Reply add(Request request) {
        return order(
                request,
                parameters -> {
                    String address = parameters
                            .address()
                            .orElseThrow(() ->
                                    new IllegalArgumentException("address: none (expected: that of the new backend)"));
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
                OrderParameters::ofAddition);
    }

    private Reply set(Request request) {
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
                OrderParameters::ofSettings);
    }

    private Reply remove(Request request) {
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
                OrderParameters::ofRemoval);
    }

    private Reply reset(Request request) {
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
                OrderParameters::ofReset);
    }

    /** Without a membership there are no changes. */
    private Reply changes(Request request) {
        Reply.Full unused = pool.apply(request);
        unused.body().release();
        return Reply.json(ChangeJson.changes(membership
                .map(present -> present.changes(request.parameter("pool")))
                .orElse(List.of())));
    }

    private static Reply order(
            Request request, Function<OrderParameters, Reply> order, Function<Request, OrderParameters> reader) {
        return AwaitedReplies.checked(() -> order.apply(reader.apply(request)));
    }

    private Membership present() {
        return membership.orElseThrow(
                () -> Problem.of(HttpResponseStatus.NOT_IMPLEMENTED, "this process adds and removes no backends"));
    }

    private Reply later(Request request, Function<Request, Reply.Full> subject, CompletableFuture<Outcome> outcome) {
        return replies.when(outcome, request, done -> reply(request, subject, done));
    }

    private static Reply.Full reply(Request request, Function<Request, Reply.Full> subject, Outcome outcome) {
        String pool = request.parameter("pool");
        return switch (outcome.kind()) {
            case DONE -> subject.apply(request);
            case NO_SUCH_POOL -> Problem.notFound("there is no pool " + pool).reply();
            case NO_SUCH_BACKEND ->
                Problem.notFound("pool " + pool + " has no such backend, or nothing was done about it")
                        .reply();
            case ALREADY_THERE -> conflict("pool " + pool + " has that backend already");
            case LAST_USABLE ->
                conflict(
                        "nothing usable would be left in pool " + pool + "; with confirm=true it is done all the same");
            case REFUSED -> conflict(outcome.text());
        };
    }

    private static Reply.Full conflict(String text) {
        return Problem.of(HttpResponseStatus.CONFLICT, text).reply();
    }
}
