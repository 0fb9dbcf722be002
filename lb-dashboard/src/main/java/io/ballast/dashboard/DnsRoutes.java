package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.core.net.Cidr;
import io.ballast.core.pool.Topology;
import io.ballast.dashboard.document.RoundTripJson;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.BlockingHandlers;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.DnsServices;
import io.ballast.dashboard.source.DnsServices.ListedService;
import io.ballast.dashboard.source.DnsStatistics;
import io.ballast.dashboard.source.FlushResult;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Serves the DNS API: services and explanations of their answers, secondary zones, round-trip time reports, and cache
 * flushes.
 */
final class DnsRoutes {

    /** Default number of services in a response. Each service needs one explanation per record type. */
    private static final int DEFAULT_LIMIT = 20;

    private static final int MAX_LIMIT = 500;
    private static final int MAX_OFFSET = 1_000_000;
    private static final Set<String> LISTED_FIELDS =
            Set.of("type", "answer", "decision", "ttl_seconds", "ttl_reason", "rule", "regions");

    private final Supplier<Optional<DnsServices>> services;
    private final Supplier<Optional<DnsStatistics>> stats;
    private final Supplier<Topology> topology;
    private final BlockingHandlers blockingHandlers;

    /**
     * @param services the DNS services; every route returns 404 without them
     * @param stats query counters, if there is a DNS frontend
     * @param topology contains the pools that round-trip time reports may refer to
     * @param blockingHandlers runs the requests to the services, which may take long
     */
    DnsRoutes(
            Supplier<Optional<DnsServices>> services,
            Supplier<Optional<DnsStatistics>> stats,
            Supplier<Topology> topology,
            BlockingHandlers blockingHandlers) {
        this.blockingHandlers = blockingHandlers;
        this.stats = stats;
        this.services = services;
        this.topology = topology;
    }

    void addTo(Router router) {
        router.get("/api/v1/dns/explain", blockingHandlers.wrap(this::explain));
        router.get("/api/v1/dns/services", blockingHandlers.wrap(this::listServices));
        router.post("/api/v1/dns/latency", this::addRoundTrips);
        router.command("/api/v1/dns/cache/flush", blockingHandlers.wrap(this::flushCache));
        router.get("/api/v1/dns/secondary", blockingHandlers.wrap(this::listSecondaryZones));
        router.command("/api/v1/dns/secondary/refresh", blockingHandlers.wrap(this::refreshZone));
    }

    private DnsServices services() {
        return services.get().orElseThrow(() -> HttpProblem.notFound("the DNS frontend is not configured"));
    }

    private AdminResponse explain(Request request) {
        DnsServices present = services();
        String name = QueryParameters.dnsName(request, "name")
                .orElseThrow(
                        () -> HttpProblem.badRequest("parameter name is missing (expected: the name of a service)"));
        String type = QueryParameters.text(request, "type").orElse("A");
        try {
            Map<String, Object> explanation =
                    present.explain(name, type, queryParameter(request, "from").map(DnsRoutes::parseNetwork));
            return AdminResponse.json(JsonWriter.write(json -> json.tree(explanation)));
        } catch (NoSuchElementException e) {
            throw HttpProblem.notFound(ErrorText.of(e));
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        } catch (IOException e) {
            throw HttpProblem.of(HttpResponseStatus.INTERNAL_SERVER_ERROR, ErrorText.of(e));
        }
    }

    /**
     * Lists the services in order, starting at {@code offset}, with the answers that a client in an unknown
     * location gets.
     */
    private AdminResponse listServices(Request request) {
        DnsServices present = services();
        List<ListedService> all = present.services();
        int from = Math.min(all.size(), QueryParameters.number(request, "offset", 0, 0, MAX_OFFSET));
        int many = QueryParameters.number(request, "limit", DEFAULT_LIMIT, 0, MAX_LIMIT);
        List<Map<String, Object>> listed = new ArrayList<>();
        Map<String, Long> queries =
                stats.get().map(DnsStatistics::queriesByService).orElse(Map.of());
        try {
            for (ListedService service : all.subList(from, Math.min(from + many, all.size()))) {
                listed.add(describeService(present, service, queries));
            }
        } catch (IOException e) {
            throw HttpProblem.of(HttpResponseStatus.INTERNAL_SERVER_ERROR, ErrorText.of(e));
        }
        return AdminResponse.json(JsonWriter.write(json -> json.tree(Map.of("total", all.size(), "services", listed))));
    }

    /**
     * @param queries query counts by service; services without their own counters have no entry
     */
    private static Map<String, Object> describeService(
            DnsServices services, ListedService listed, Map<String, Long> queries) throws IOException {
        List<Map<String, Object>> answers = new ArrayList<>();
        for (String type : listed.types()) {
            Map<String, Object> answer = new LinkedHashMap<>(services.explain(listed.name(), type, Optional.empty()));
            answer.put("rule", ServiceChoice.rule(answer.get("target")));
            answer.put("regions", ServiceChoice.regions(answer.get("target")));
            // The list contains only the answers; a separate request returns the full explanation of a service.
            answer.keySet().retainAll(LISTED_FIELDS);
            answers.add(answer);
        }
        Map<String, Object> service = new LinkedHashMap<>(Map.of("name", listed.name(), "answers", answers));
        Long answered = queries.get(listed.name());
        if (answered != null) {
            service.put("queries", answered);
        }
        return service;
    }

    /** Lists the secondary zones in the order of the configuration, starting at index {@code offset}. */
    private AdminResponse listSecondaryZones(Request request) {
        List<Map<String, Object>> zones = services().secondaryZones();
        int from = Math.min(zones.size(), QueryParameters.number(request, "offset", 0, 0, MAX_OFFSET));
        int many = QueryParameters.number(request, "limit", MAX_LIMIT, 0, MAX_LIMIT);
        List<Map<String, Object>> listed = zones.subList(from, Math.min(from + many, zones.size()));
        return AdminResponse.json(JsonWriter.write(json -> json.tree(Map.of("total", zones.size(), "zones", listed))));
    }

    private AdminResponse refreshZone(Request request) {
        DnsServices present = services();
        String zone = QueryParameters.dnsName(request, "zone")
                .orElseThrow(() ->
                        HttpProblem.badRequest("parameter zone is missing (expected: the name of a secondary zone)"));
        if (!present.refreshZone(zone)) {
            throw HttpProblem.notFound("zone " + zone + " is not a secondary zone");
        }
        return AdminResponse.json(JsonWriter.write(json -> json.object(() -> json.field("asked", zone))));
    }

    private AdminResponse flushCache(Request request) {
        DnsServices present = services();
        try {
            FlushResult flushed = present.flushCache(
                    QueryParameters.dnsName(request, "name"),
                    queryParameter(request, "below")
                            .map(DnsRoutes::parseBoolean)
                            .orElse(false),
                    queryParameter(request, "type"));
            AdminResponse.Complete reply = AdminResponse.json(
                    JsonWriter.write(json -> json.object(() -> json.field("forgotten", flushed.removed()))));
            return flushed.isPending() ? reply.withStatus(HttpResponseStatus.ACCEPTED) : reply;
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        }
    }

    private static Cidr parseNetwork(String text) {
        try {
            return Cidr.parseLeniently(text);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("from: " + text
                    + " (expected: an address such as 192.0.2.1, or a network such as 192.0.2.0/24 or 2001:db8::/32)");
        }
    }

    private static boolean parseBoolean(String text) {
        Checks.that(text.equals("true") || text.equals("false"), "below", text, "true or false");
        return text.equals("true");
    }

    private AdminResponse addRoundTrips(Request request) {
        DnsServices present = services();
        try {
            Set<String> pools = topology.get().pools().keySet();
            List<DnsServices.RoundTrip> reports = RoundTripJson.read(request.body(), pools);
            present.addRoundTrips(reports);
            return AdminResponse.json(
                    JsonWriter.write(json -> json.object(() -> json.field("accepted", reports.size()))));
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        }
    }

    private static Optional<String> queryParameter(Request request, String name) {
        return QueryParameters.value(request, name);
    }
}
