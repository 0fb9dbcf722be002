package io.ballast.dashboard;

import io.ballast.core.net.IpAddress;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.json.RoundTripJson;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the API serves of DNS: why a service answers what it answers, and times that agents report. */
final class DnsRoutes {

    private final DnsServices services;
    private final Set<String> pools;

    /** @param pools names of the pools that reports may be about */
    DnsRoutes(DnsServices services, Set<String> pools) {
        this.services = services;
        this.pools = pools;
    }

    void addTo(Router router) {
        router.get("/api/v1/dns/explain", this::explain);
        router.post("/api/v1/dns/latency", this::learn);
    }

    private Reply explain(Request request) {
        String name = query(request, "name").orElseThrow(() -> Problem.badRequest("name is missing"));
        String type = query(request, "type").orElse("A");
        try {
            Map<String, Object> explanation =
                    services.explain(name, type, query(request, "from").map(IpAddress::parse));
            return Reply.json(JsonWriter.write(json -> json.tree(explanation)));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw Problem.of(HttpResponseStatus.INTERNAL_SERVER_ERROR, String.valueOf(e.getMessage()));
        }
    }

    private Reply learn(Request request) {
        try {
            List<DnsServices.RoundTrip> reports = RoundTripJson.read(request.body(), pools);
            services.learn(reports);
            return Reply.json(JsonWriter.write(json -> json.object(() -> json.field("accepted", reports.size()))));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<String> query(Request request, String name) {
        return request.query().getOrDefault(name, List.of()).stream().findFirst();
    }
}
