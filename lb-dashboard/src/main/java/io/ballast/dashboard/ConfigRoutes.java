package io.ballast.dashboard;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.json.RouteTableJson;
import io.ballast.dashboard.json.ZonesJson;
import io.ballast.dashboard.server.OffLoop;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What the API serves of the configuration in force: the whole of it, and which requests go where, and its zones. */
final class ConfigRoutes {

    private static final String YAML = "text/yaml; charset=utf-8";
    private static final String FORMAT = "format";

    private final Optional<ConfigurationView> view;
    private final Supplier<Optional<DnsStats>> dns;
    private final OffLoop offLoop;

    /**
     * @param dns what counts the queries of the zones, if anything does
     * @param offLoop where the configuration is written, which takes long if it is large
     */
    ConfigRoutes(Optional<ConfigurationView> view, Supplier<Optional<DnsStats>> dns, OffLoop offLoop) {
        this.view = view;
        this.dns = dns;
        this.offLoop = offLoop;
    }

    void addTo(Router router) {
        router.get("/api/v1/config", offLoop.of(this::config));
        router.get("/api/v1/routes", offLoop.of(request -> routes()));
        router.get("/api/v1/dns/zones", offLoop.of(request -> zones()));
    }

    private ConfigurationView view() {
        return view.orElseThrow(() ->
                Problem.of(HttpResponseStatus.NOT_IMPLEMENTED, "this process does not tell what it is configured by"));
    }

    private Reply config(Request request) {
        ConfigurationView present = view();
        if (!wantsYaml(request)) {
            return Reply.json(JsonWriter.write(json -> json.tree(present.tree())));
        }
        byte[] text = present.yaml().getBytes(StandardCharsets.UTF_8);
        return Reply.of(HttpResponseStatus.OK, YAML, Unpooled.wrappedBuffer(text));
    }

    private Reply routes() {
        Map<String, Object> tree = view().tree();
        return Reply.json(JsonWriter.write(json -> RouteTableJson.write(json, tree)));
    }

    private Reply zones() {
        Map<String, Object> tree = view().tree();
        Map<String, Map<String, Long>> queries =
                dns.get().map(DnsStats::queriesByZone).orElse(Map.of());
        return Reply.json(JsonWriter.write(json -> ZonesJson.write(json, tree, queries)));
    }

    /** The query has the last word; without it, a client that names YAML and not JSON gets that. */
    private static boolean wantsYaml(Request request) {
        List<String> asked = request.query().getOrDefault(FORMAT, List.of());
        if (asked.isEmpty()) {
            String accepted = request.header(HttpHeaderNames.ACCEPT).orElse("");
            return accepted.contains("yaml") && !accepted.contains("json");
        }
        return switch (asked.get(0)) {
            case "yaml" -> true;
            case "json" -> false;
            default -> throw Problem.badRequest(FORMAT + ": " + asked.get(0) + " (expected: json or yaml)");
        };
    }
}
