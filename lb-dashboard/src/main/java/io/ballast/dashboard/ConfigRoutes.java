package io.ballast.dashboard;

import io.ballast.dashboard.document.RouteTableJson;
import io.ballast.dashboard.document.ZonesJson;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.BlockingHandlers;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.ConfigurationView;
import io.ballast.dashboard.source.DnsStatistics;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Serves the active configuration, its route table and its zones. */
final class ConfigRoutes {

    private static final String YAML = "text/yaml; charset=utf-8";
    private static final String FORMAT = "format";

    private final Optional<ConfigurationView> view;
    private final Supplier<Optional<DnsStatistics>> dns;
    private final BlockingHandlers blockingHandlers;

    /**
     * @param dns query counters of the zones, if there is a DNS frontend
     * @param blockingHandlers runs the encoding of the configuration, which takes long if the configuration is
     *     large
     */
    ConfigRoutes(
            Optional<ConfigurationView> view,
            Supplier<Optional<DnsStatistics>> dns,
            BlockingHandlers blockingHandlers) {
        this.view = view;
        this.dns = dns;
        this.blockingHandlers = blockingHandlers;
    }

    void addTo(Router router) {
        router.get("/api/v1/config", blockingHandlers.wrap(this::config));
        router.get("/api/v1/routes", blockingHandlers.wrap(request -> routes()));
        router.get("/api/v1/dns/zones", blockingHandlers.wrap(request -> zones()));
    }

    private ConfigurationView view() {
        return view.orElseThrow(() ->
                HttpProblem.of(HttpResponseStatus.NOT_IMPLEMENTED, "this process does not expose its configuration"));
    }

    private AdminResponse config(Request request) {
        ConfigurationView present = view();
        if (!wantsYaml(request)) {
            return AdminResponse.json(JsonWriter.write(json -> json.tree(present.tree())));
        }
        byte[] text = present.yaml().getBytes(StandardCharsets.UTF_8);
        return AdminResponse.of(HttpResponseStatus.OK, YAML, Unpooled.wrappedBuffer(text));
    }

    private AdminResponse routes() {
        Map<String, Object> tree = view().tree();
        return AdminResponse.json(JsonWriter.write(json -> RouteTableJson.write(json, tree)));
    }

    private AdminResponse zones() {
        Map<String, Object> tree = view().tree();
        Map<String, Map<String, Long>> queries =
                dns.get().map(DnsStatistics::queriesByZone).orElse(Map.of());
        return AdminResponse.json(JsonWriter.write(json -> ZonesJson.write(json, tree, queries)));
    }

    /**
     * Returns whether to send YAML: the query parameter decides, otherwise an Accept header that contains YAML but not
     * JSON.
     */
    private static boolean wantsYaml(Request request) {
        List<String> formats = request.query().getOrDefault(FORMAT, List.of());
        if (formats.isEmpty()) {
            String accepted = request.header(HttpHeaderNames.ACCEPT).orElse("");
            return accepted.contains("yaml") && !accepted.contains("json");
        }
        return switch (formats.get(0)) {
            case "yaml" -> true;
            case "json" -> false;
            default -> throw HttpProblem.badRequest(FORMAT + ": " + formats.get(0) + " (expected: json or yaml)");
        };
    }
}
