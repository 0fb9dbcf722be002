package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.BlockingHandlers;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.DnsFilterOverrides;
import io.ballast.dashboard.source.DnsServices;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Pauses the forwarder's filter, and allows and blocks names. The response is the resulting state of the filter. */
final class DnsFilterRoutes {

    private static final String PATH = "/api/v1/dns/filter";
    /** Maximum duration of a pause: one day, the same limit as in the forwarder. */
    private static final int MAX_PAUSE_SECONDS = 86_400;

    private static final String SECONDS = "seconds";
    private static final String GROUP = "group";
    private static final String NAME = "name";
    private static final String WHO = "who";

    private final Supplier<Optional<DnsServices>> services;
    private final BlockingHandlers blockingHandlers;

    /** A command that changes the filter, such as a pause. */
    @FunctionalInterface
    private interface FilterCommand {
        void execute(DnsFilterOverrides filter, Request request, String who) throws IOException;
    }

    /**
     * @param services the DNS services; every route returns 404 without them
     */
    DnsFilterRoutes(Supplier<Optional<DnsServices>> services, BlockingHandlers blockingHandlers) {
        this.services = services;
        this.blockingHandlers = blockingHandlers;
    }

    void addTo(Router router) {
        router.get(PATH, blockingHandlers.wrap(request -> answer(request, Set.of(), (filter, of, who) -> {})));
        addCommand(
                router,
                "/pause",
                Set.of(SECONDS, GROUP),
                (filter, request, who) -> filter.pause(
                        queryParameter(request, SECONDS).map(DnsFilterRoutes::parseSeconds),
                        queryParameter(request, GROUP),
                        who));
        addCommand(
                router,
                "/resume",
                Set.of(GROUP),
                (filter, request, who) -> filter.resume(queryParameter(request, GROUP), who));
        addCommand(router, "/allow", Set.of(NAME), (filter, request, who) -> filter.allow(name(request), who));
        addCommand(router, "/block", Set.of(NAME), (filter, request, who) -> filter.block(name(request), who));
        addCommand(
                router, "/accept", Set.of(NAME), (filter, request, who) -> filter.acceptList(listName(request), who));
        addCommand(
                router, "/forget", Set.of(NAME), (filter, request, who) -> filter.removeOverride(name(request), who));
    }

    private void addCommand(Router router, String path, Set<String> parameters, FilterCommand order) {
        router.command(PATH + path, blockingHandlers.wrap(request -> answer(request, parameters, order)));
    }

    private AdminResponse answer(Request request, Set<String> parameters, FilterCommand order) {
        DnsServices present =
                services.get().orElseThrow(() -> HttpProblem.notFound("the DNS frontend is not configured"));
        try {
            for (String given : request.query().keySet()) {
                Checks.that(
                        parameters.contains(given) || given.equals(WHO),
                        "parameter",
                        given,
                        "one of " + parameters + " or " + WHO);
            }
            DnsFilterOverrides filter = present.filter();
            order.execute(filter, request, OverrideParameters.who(request));
            return AdminResponse.json(JsonWriter.write(json -> json.tree(filter.state())));
        } catch (NoSuchElementException e) {
            throw HttpProblem.notFound(ErrorText.of(e));
        } catch (IllegalStateException e) {
            throw HttpProblem.of(HttpResponseStatus.CONFLICT, ErrorText.of(e));
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        } catch (IOException e) {
            throw HttpProblem.of(HttpResponseStatus.INTERNAL_SERVER_ERROR, ErrorText.of(e));
        }
    }

    private static Duration parseSeconds(String text) {
        boolean isNumber = text.matches("[0-9]{1,9}");
        Checks.that(isNumber, SECONDS, text, "1.." + MAX_PAUSE_SECONDS);
        return Duration.ofSeconds(Checks.between(Integer.parseInt(text), 1, MAX_PAUSE_SECONDS, SECONDS));
    }

    private static String name(Request request) {
        return QueryParameters.dnsName(request, NAME)
                .orElseThrow(() -> new IllegalArgumentException("parameter name is missing (expected: a DNS name)"));
    }

    private static String listName(Request request) {
        return queryParameter(request, NAME)
                .orElseThrow(
                        () -> new IllegalArgumentException("parameter name is missing (expected: the name of a list)"));
    }

    private static Optional<String> queryParameter(Request request, String name) {
        return QueryParameters.value(request, name);
    }
}
