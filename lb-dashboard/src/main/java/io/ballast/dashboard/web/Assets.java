package io.ballast.dashboard.web;

import io.ballast.dashboard.server.Handler;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The page's files. They are named here one by one and read once, so no path of a request ever reaches a file system.
 * Each is read when it is first asked for: nobody may look at the page, and compressing all would delay the start.
 */
public final class Assets {

    /** Every file, as it lies beside this class and as it is served. */
    static final List<String> FILES = List.of(
            "index.html",
            "app.css",
            "vendor.css",
            "favicon.svg",
            "address.js",
            "alerts.js",
            "app.js",
            "certificates.js",
            "changes.js",
            "chart.js",
            "condition.js",
            "config.js",
            "detail.js",
            "dns.js",
            "down.js",
            "events.js",
            "explain.js",
            "filter.js",
            "filtering.js",
            "flush.js",
            "format.js",
            "forwarding.js",
            "header.js",
            "history.js",
            "listeners.js",
            "loaded.js",
            "login.html",
            "login.js",
            "names.js",
            "orders.js",
            "overview.js",
            "plot.js",
            "polled.js",
            "pool.js",
            "pools.js",
            "queries.js",
            "routes.js",
            "row.js",
            "session.js",
            "settled.js",
            "sparkline.js",
            "store.js",
            "stream.js",
            "table.js",
            "theme.js",
            "upstreams.js",
            "vendor.js");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    /** The description of the API. */
    private static final String OPENAPI = "/io/ballast/dashboard/api/openapi.json";

    /** The pages of the documentation, as the page links to them; docs/ of the source tree. */
    private static final List<String> DOCS = List.of(
            "api",
            "configuration",
            "discovery",
            "dns",
            "forwarder",
            "limitations",
            "metrics",
            "operations",
            "routing",
            "troubleshooting");

    private Assets() {}

    /**
     * Adds a route for each file, and the page itself at {@code /}. There is nothing in them that is not in everybody's copy of
     * the jar, so that they are open; who may not see figures is sent from the page to the login.
     *
     * @param needsLogin whether there is one
     */
    public static void addTo(Router router, BooleanSupplier needsLogin) {
        router.get("/api/v1/openapi.json", new AssetOnDemand("application/json", () -> read(OPENAPI)));
        for (String name : DOCS) {
            router.open(
                    "/docs/" + name + ".md",
                    new AssetOnDemand("text/plain; charset=utf-8", () -> read("docs/" + name + ".md")));
        }
        for (String file : FILES) {
            Handler asset = new AssetOnDemand(typeOf(file), () -> read(file));
            router.open("/" + file, asset);
            if (file.equals("index.html")) {
                router.open(
                        "/",
                        request ->
                                request.caller().role().isPresent() ? asset.handle(request) : Reply.seeOther("/login"));
            } else if (file.equals("login.html")) {
                router.open(
                        "/login", request -> needsLogin.getAsBoolean() ? asset.handle(request) : Reply.seeOther("/"));
            }
        }
    }

    private static String typeOf(String file) {
        String type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalArgumentException("file: " + file + " (expected: a type out of " + TYPES.keySet() + ")");
        }
        return type;
    }

    private static byte[] read(String file) {
        try (InputStream in = Assets.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks " + file);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
