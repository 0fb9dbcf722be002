package io.ballast.dashboard;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.json.QueryJson;
import io.ballast.dashboard.json.UpstreamsJson;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.server.OffLoop;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What the API serves of the forwarder: its last queries, sums of the last hours, its lists of rules and its resolvers. */
final class ForwardingRoutes {

    private final Supplier<Optional<DnsForwarding>> forwarding;
    private final LiveStats live;
    private final OffLoop offLoop;

    /**
     * @param forwarding what there is now; without any, nothing is found here
     * @param live knows the resolvers, which are backends
     * @param offLoop where sums are made
     */
    ForwardingRoutes(Supplier<Optional<DnsForwarding>> forwarding, LiveStats live, OffLoop offLoop) {
        this.forwarding = forwarding;
        this.live = live;
        this.offLoop = offLoop;
    }

    void addTo(Router router) {
        router.get("/api/v1/dns/queries", offLoop.of(this::queries));
        router.get("/api/v1/dns/history", offLoop.of(this::history));
        router.get("/api/v1/dns/lists", offLoop.of(this::lists));
        router.get("/api/v1/dns/upstreams", this::upstreams);
    }

    private DnsForwarding present() {
        return forwarding.get().orElseThrow(() -> Problem.notFound("there is no DNS frontend that forwards"));
    }

    private Reply queries(Request request) {
        DnsForwarding present = present();
        QuerySearch search = QuerySearch.of(request);
        List<LoggedQuery> found = present.queries(search.limit(), search::fits);
        return Reply.json(JsonWriter.write(json -> json.object(() -> {
            json.field("logged", present.isLogged());
            json.field("memory", present.memory());
            json.field("sample", present.sample());
            json.field("dropped", present.dropped());
            QueryJson.array(json, "queries", found);
        })));
    }

    private Reply history(Request request) {
        int hours = QueryParameters.number(request, "hours", DnsForwarding.MOST_HOURS, 1, DnsForwarding.MOST_HOURS);
        Map<String, Object> sums = present().history(hours);
        return Reply.json(JsonWriter.write(json -> json.tree(sums)));
    }

    private Reply lists(Request request) {
        List<Map<String, Object>> lists = present().lists();
        return Reply.json(JsonWriter.write(json -> json.tree(Map.of("lists", lists))));
    }

    private Reply upstreams(Request request) {
        live.follow();
        List<PoolSeries> pools = present().pools().stream()
                .flatMap(name -> live.pool(name).stream())
                .toList();
        return Reply.json(JsonWriter.write(json -> UpstreamsJson.write(json, pools)));
    }
}
