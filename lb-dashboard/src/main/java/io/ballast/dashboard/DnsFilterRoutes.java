package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.OffLoop;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Pauses the filter of names outside the zones, allows and blocks names at once. Answers with the filter as it is then. */
final class DnsFilterRoutes {

    private static final String PATH = "/api/v1/dns/filter";
    private static final String SECONDS = "seconds";
    private static final String GROUP = "group";
    private static final String NAME = "name";
    private static final String WHO = "who";

    private final Supplier<Optional<DnsServices>> services;
    private final OffLoop offLoop;

    /** What an order does. */
    @FunctionalInterface
    private interface Order {
        void give(DnsFilterOrders filter, Request request, String who) throws IOException;
    }

    /** @param services those that there are now; without any, nothing is found here */
    DnsFilterRoutes(Supplier<Optional<DnsServices>> services, OffLoop offLoop) {
        this.services = services;
        this.offLoop = offLoop;
    }

    void addTo(Router router) {
        router.get(PATH, offLoop.of(request -> answer(request, Set.of(), (filter, of, who) -> {})));
        add(
                router,
                "/pause",
                Set.of(SECONDS, GROUP),
                (filter, request, who) -> filter.pause(
                        query(request, SECONDS).map(DnsFilterRoutes::seconds), query(request, GROUP), who));
        add(router, "/resume", Set.of(GROUP), (filter, request, who) -> filter.resume(query(request, GROUP), who));
        add(router, "/allow", Set.of(NAME), (filter, request, who) -> filter.allow(name(request), who));
        add(router, "/block", Set.of(NAME), (filter, request, who) -> filter.block(name(request), who));
        add(router, "/accept", Set.of(NAME), (filter, request, who) -> filter.accept(name(request), who));
        add(router, "/forget", Set.of(NAME), (filter, request, who) -> filter.forget(name(request), who));
    }

    private void add(Router router, String path, Set<String> parameters, Order order) {
        router.command(PATH + path, offLoop.of(request -> answer(request, parameters, order)));
    }

    private Reply answer(Request request, Set<String> parameters, Order order) {
        DnsServices present = services.get().orElseThrow(() -> Problem.notFound("there is no DNS frontend"));
        try {
            for (String given : request.query().keySet()) {
                Checks.that(
                        parameters.contains(given) || given.equals(WHO),
                        "parameter",
                        given,
                        "one of " + parameters + " or " + WHO);
            }
            DnsFilterOrders filter = present.filter();
            order.give(filter, request, OrderParameters.who(request));
            return Reply.json(JsonWriter.write(json -> json.tree(filter.state())));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(ErrorText.of(e));
        } catch (IOException e) {
            throw Problem.of(HttpResponseStatus.INTERNAL_SERVER_ERROR, ErrorText.of(e));
        }
    }

    private static Duration seconds(String text) {
        Checks.that(text.matches("[0-9]{1,9}"), SECONDS, text, "a number");
        return Duration.ofSeconds(Integer.parseInt(text));
    }

    private static String name(Request request) {
        return query(request, NAME).orElseThrow(() -> new IllegalArgumentException("name is missing"));
    }

    private static Optional<String> query(Request request, String name) {
        return QueryParameters.value(request, name);
    }
}
