package io.ballast.dashboard;

import io.ballast.dashboard.document.QueryJson;
import io.ballast.dashboard.document.UpstreamsJson;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.BlockingHandlers;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.DnsForwarding;
import io.ballast.dashboard.source.LoggedQuery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves the data of the DNS forwarder: recent queries, the history, the rule lists and the upstream
 * resolvers.
 */
final class ForwardingRoutes {

    private final Supplier<Optional<DnsForwarding>> forwarding;
    private final LiveStats live;
    private final BlockingHandlers blockingHandlers;

    /**
     * @param forwarding the current forwarder; every route returns 404 without one
     * @param live statistics of the upstream resolvers, which are backends
     * @param blockingHandlers runs the handlers that aggregate data
     */
    ForwardingRoutes(Supplier<Optional<DnsForwarding>> forwarding, LiveStats live, BlockingHandlers blockingHandlers) {
        this.forwarding = forwarding;
        this.live = live;
        this.blockingHandlers = blockingHandlers;
    }

    void addTo(Router router) {
        router.get("/api/v1/dns/queries", blockingHandlers.wrap(this::queries));
        router.get("/api/v1/dns/history", blockingHandlers.wrap(this::history));
        router.get("/api/v1/dns/lists", blockingHandlers.wrap(this::lists));
        router.get("/api/v1/dns/upstreams", this::upstreams);
    }

    private DnsForwarding requireForwarding() {
        return forwarding.get().orElseThrow(() -> HttpProblem.notFound("DNS forwarding is not configured"));
    }

    private AdminResponse queries(Request request) {
        DnsForwarding present = requireForwarding();
        QuerySearch search = QuerySearch.of(request);
        List<LoggedQuery> found = present.queries(search.limit(), search::matches);
        return AdminResponse.json(JsonWriter.write(json -> json.object(() -> {
            json.field("logged", present.isLoggingEnabled());
            json.field("memory", present.logCapacity());
            json.field("sample", present.samplingRate());
            json.field("dropped", present.droppedQueries());
            QueryJson.array(json, "queries", found);
        })));
    }

    private AdminResponse history(Request request) {
        int hours = QueryParameters.number(request, "hours", DnsForwarding.MAX_HOURS, 1, DnsForwarding.MAX_HOURS);
        Map<String, Object> sums = requireForwarding().history(hours);
        return AdminResponse.json(JsonWriter.write(json -> json.tree(sums)));
    }

    private AdminResponse lists(Request request) {
        List<Map<String, Object>> lists = requireForwarding().ruleLists();
        return AdminResponse.json(JsonWriter.write(json -> json.tree(Map.of("lists", lists))));
    }

    private AdminResponse upstreams(Request request) {
        live.applyActiveConfig();
        List<PoolSeries> pools = requireForwarding().pools().stream()
                .flatMap(name -> live.pool(name).stream())
                .toList();
        return AdminResponse.json(JsonWriter.write(json -> UpstreamsJson.write(json, pools)));
    }
}
