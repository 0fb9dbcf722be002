package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.core.net.Cidr;
import io.ballast.core.pool.Topology;
import io.ballast.dashboard.DnsServices.ListedService;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.json.RoundTripJson;
import io.ballast.dashboard.server.OffLoop;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What the API serves of DNS: services with their answers and why, times that agents report, and what is to be forgotten. */
final class DnsRoutes {

    /** Services in one document, unless asked otherwise; each costs two explanations. */
    private static final int LISTED = 20;

    private static final int MOST_LISTED = 500;
    private static final int MOST_OFFSET = 1_000_000;
    private static final Set<String> BRIEF =
            Set.of("type", "answer", "decision", "ttl_seconds", "ttl_reason", "rule", "regions");

    private final Supplier<Optional<DnsServices>> services;
    private final Supplier<Optional<DnsStats>> stats;
    private final Supplier<Topology> topology;
    private final OffLoop offLoop;

    /**
     * @param services those that there are now; without any, nothing is found here
     * @param stats what counts their queries, if anything does
     * @param topology whose pools reports may be about
     * @param offLoop where services are asked, which may take long
     */
    DnsRoutes(
            Supplier<Optional<DnsServices>> services,
            Supplier<Optional<DnsStats>> stats,
            Supplier<Topology> topology,
            OffLoop offLoop) {
        this.offLoop = offLoop;
        this.stats = stats;
        this.services = services;
        this.topology = topology;
    }

    void addTo(Router router) {
        router.get("/api/v1/dns/explain", offLoop.of(this::explain));
        router.get("/api/v1/dns/services", offLoop.of(this::list));
        router.post("/api/v1/dns/latency", this::learn);
        router.command("/api/v1/dns/cache/flush", offLoop.of(this::flush));
        router.get("/api/v1/dns/secondary", offLoop.of(this::secondary));
        router.command("/api/v1/dns/secondary/refresh", offLoop.of(this::refresh));
    }

    private DnsServices services() {
        return services.get().orElseThrow(() -> Problem.notFound("there is no DNS frontend"));
    }

    private Reply explain(Request request) {
        DnsServices present = services();
        String name = query(request, "name").orElseThrow(() -> Problem.badRequest("name is missing"));
        String type = QueryParameters.text(request, "type").orElse("A");
        try {
            Map<String, Object> explanation =
                    present.explain(name, type, query(request, "from").map(Cidr::parse));
            return Reply.json(JsonWriter.write(json -> json.tree(explanation)));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(ErrorText.of(e));
        } catch (IOException e) {
            throw Problem.of(HttpResponseStatus.INTERNAL_SERVER_ERROR, ErrorText.of(e));
        }
    }

    /** The services in their order, with what they answer nobody in particular; those after {@code offset}. */
    private Reply list(Request request) {
        DnsServices present = services();
        List<ListedService> all = present.services();
        int from = Math.min(all.size(), QueryParameters.number(request, "offset", 0, 0, MOST_OFFSET));
        int many = QueryParameters.number(request, "limit", LISTED, 0, MOST_LISTED);
        List<Map<String, Object>> listed = new ArrayList<>();
        Map<String, Long> queries = stats.get().map(DnsStats::queriesByService).orElse(Map.of());
        try {
            for (ListedService service : all.subList(from, Math.min(from + many, all.size()))) {
                listed.add(answersOf(present, service, queries));
            }
        } catch (IOException e) {
            throw Problem.of(HttpResponseStatus.INTERNAL_SERVER_ERROR, ErrorText.of(e));
        }
        return Reply.json(JsonWriter.write(json -> json.tree(Map.of("total", all.size(), "services", listed))));
    }

    /** @param queries that services answered; those that are not counted alone are missing */
    private static Map<String, Object> answersOf(DnsServices services, ListedService listed, Map<String, Long> queries)
            throws IOException {
        List<Map<String, Object>> answers = new ArrayList<>();
        for (String type : listed.types()) {
            Map<String, Object> answer = new LinkedHashMap<>(services.explain(listed.name(), type, Optional.empty()));
            answer.put("rule", ServiceChoice.rule(answer.get("target")));
            answer.put("regions", ServiceChoice.regions(answer.get("target")));
            // The list says what is answered; what it was chosen from is told on request.
            answer.keySet().retainAll(BRIEF);
            answers.add(answer);
        }
        Map<String, Object> service = new LinkedHashMap<>(Map.of("name", listed.name(), "answers", answers));
        Long answered = queries.get(listed.name());
        if (answered != null) {
            service.put("queries", answered);
        }
        return service;
    }

    /** The zones from other servers in their order; those after {@code offset}. */
    private Reply secondary(Request request) {
        List<Map<String, Object>> zones = services().secondaryZones();
        int from = Math.min(zones.size(), QueryParameters.number(request, "offset", 0, 0, MOST_OFFSET));
        int many = QueryParameters.number(request, "limit", MOST_LISTED, 0, MOST_LISTED);
        List<Map<String, Object>> listed = zones.subList(from, Math.min(from + many, zones.size()));
        return Reply.json(JsonWriter.write(json -> json.tree(Map.of("total", zones.size(), "zones", listed))));
    }

    private Reply refresh(Request request) {
        DnsServices present = services();
        String zone = query(request, "zone").orElseThrow(() -> Problem.badRequest("zone is missing"));
        if (!present.refreshZone(zone)) {
            throw Problem.notFound("no zone " + zone + " comes from other servers");
        }
        return Reply.json(JsonWriter.write(json -> json.object(() -> json.field("asked", zone))));
    }

    private Reply flush(Request request) {
        DnsServices present = services();
        try {
            int forgotten = present.flush(
                    query(request, "name"),
                    query(request, "below").map(DnsRoutes::isTrue).orElse(false),
                    query(request, "type"));
            return Reply.json(JsonWriter.write(json -> json.object(() -> json.field("forgotten", forgotten))));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(ErrorText.of(e));
        }
    }

    private static boolean isTrue(String text) {
        Checks.that(text.equals("true") || text.equals("false"), "below", text, "true or false");
        return text.equals("true");
    }

    private Reply learn(Request request) {
        DnsServices present = services();
        try {
            Set<String> pools = topology.get().pools().keySet();
            List<DnsServices.RoundTrip> reports = RoundTripJson.read(request.body(), pools);
            present.learn(reports);
            return Reply.json(JsonWriter.write(json -> json.object(() -> json.field("accepted", reports.size()))));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(ErrorText.of(e));
        }
    }

    private static Optional<String> query(Request request, String name) {
        return QueryParameters.value(request, name);
    }
}
