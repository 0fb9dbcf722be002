package io.ballast.dashboard;

import io.ballast.core.backend.Order;
import io.ballast.core.backend.WeightOrder;
import io.ballast.core.health.Operator;
import io.ballast.core.health.Operator.Outcome;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Takes backends out of service, and back. Answers with the backend as it is then. */
final class OperatorRoutes {

    private static final String POOL = "/api/v1/pools/{pool}/";
    private static final String BACKEND = POOL + "backends/{backend}/";

    private final Optional<Operator> operator;
    private final Clock clock;
    private final Function<Request, Reply.Full> backend;
    private final Function<Request, Reply.Full> pool;
    private final AwaitedReplies replies;

    /**
     * @param backend answers with the backend of a request; called on the event loop on which all this is served
     * @param pool the same for pools
     */
    OperatorRoutes(
            Optional<Operator> operator,
            Clock clock,
            Function<Request, Reply.Full> backend,
            Function<Request, Reply.Full> pool,
            AwaitedReplies replies) {
        this.operator = operator;
        this.clock = clock;
        this.backend = backend;
        this.pool = pool;
        this.replies = replies;
    }

    void addTo(Router router) {
        for (Order.Kind kind : Order.Kind.values()) {
            router.command(BACKEND + kind.label(), request -> order(kind, request));
        }
        router.command(BACKEND + "enable", this::enable);
        router.command(BACKEND + "weight", this::weigh);
        router.command(POOL + "maintenance", this::maintain);
        router.command(POOL + "serve", this::serve);
    }

    private Reply order(Order.Kind kind, Request request) {
        return AwaitedReplies.checked(() -> {
            OrderParameters parameters = OrderParameters.ofOrder(kind, request);
            return later(
                    request,
                    present()
                            .order(
                                    request.parameter("pool"),
                                    request.parameter("backend"),
                                    parameters.order(kind, clock.instant()),
                                    parameters.isConfirmed()));
        });
    }

    private Reply weigh(Request request) {
        return AwaitedReplies.checked(() -> {
            OrderParameters parameters = OrderParameters.ofWeight(request);
            String pool = request.parameter("pool");
            String address = request.parameter("backend");
            Optional<WeightOrder> order = parameters.weight(clock.instant());
            return later(
                    request,
                    order.isPresent()
                            ? present().weigh(pool, address, order.get(), parameters.isConfirmed())
                            : present().weighByFile(pool, address, parameters.signed()));
        });
    }

    private Reply enable(Request request) {
        return AwaitedReplies.checked(() -> {
            OrderParameters parameters = OrderParameters.ofEnd(request);
            return later(
                    request,
                    present().enable(request.parameter("pool"), request.parameter("backend"), parameters.signed()));
        });
    }

    private Reply maintain(Request request) {
        return AwaitedReplies.checked(() -> {
            OrderParameters parameters = OrderParameters.ofMaintenance(request);
            return later(
                    request, pool, present().maintain(request.parameter("pool"), parameters.terms(clock.instant())));
        });
    }

    private Reply serve(Request request) {
        return AwaitedReplies.checked(() -> {
            OrderParameters parameters = OrderParameters.ofEnd(request);
            return later(request, pool, present().serve(request.parameter("pool"), parameters.signed()));
        });
    }

    private Operator present() {
        return operator.orElseThrow(
                () -> Problem.of(HttpResponseStatus.NOT_IMPLEMENTED, "this process takes no orders about backends"));
    }

    private Reply later(Request request, CompletableFuture<Outcome> outcome) {
        return later(request, backend, outcome);
    }

    private Reply later(Request request, Function<Request, Reply.Full> subject, CompletableFuture<Outcome> outcome) {
        return replies.when(outcome, request, done -> reply(request, subject, done));
    }

    private static Reply.Full reply(Request request, Function<Request, Reply.Full> subject, Outcome outcome) {
        String pool = request.parameter("pool");
        return switch (outcome) {
            case DONE -> subject.apply(request);
            case NO_SUCH_POOL -> Problem.notFound("there is no pool " + pool).reply();
            case NO_SUCH_BACKEND ->
                Problem.notFound("pool " + pool + " has no backend " + request.parameter("backend"))
                        .reply();
            case LAST_USABLE ->
                Problem.of(
                                HttpResponseStatus.CONFLICT,
                                request.parameter("backend") + " is the last usable backend of pool " + pool
                                        + "; with confirm=true it is taken out all the same")
                        .reply();
        };
    }
}
