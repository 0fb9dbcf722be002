package io.ballast.dashboard.web;

import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.Handler;
import io.ballast.dashboard.server.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The page's files. They are listed in this class, so a request path never reaches a file system. Each file
 * is read at its first request, because compressing all files would delay the start.
 */
public final class Assets {

    /**
     * The names of all files. The name is both the resource name relative to this class and the path of the
     * request.
     */
    static final List<String> FILES = List.of(
            "index.html",
            "address.js",
            "alerts.js",
            "app.css",
            "app.js",
            "certificates.js",
            "changes.js",
            "chart.js",
            "config.js",
            "debounce.js",
            "detail.js",
            "dns.js",
            "down.js",
            "events.js",
            "explain.js",
            "favicon.svg",
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
            "sparkline.js",
            "status.js",
            "store.js",
            "stream.js",
            "table.js",
            "theme.js",
            "upstreams.js",
            "vendor.css",
            "vendor.js");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    /** The OpenAPI description. */
    private static final String OPENAPI = "/io/ballast/dashboard/api/openapi.json";

    /** The documentation pages that the page links to, copied from docs/. */
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
     * Adds a route for each file, and the page at {@code /}. The routes are public, because the files are the same in
     * every copy of the jar. The page redirects callers without a session to the login.
     *
     * @param needsLogin whether authentication is configured
     */
    public static void addTo(Router router, BooleanSupplier needsLogin) {
        router.get("/api/v1/openapi.json", new LazyAsset("application/json", () -> read(OPENAPI)));
        for (String name : DOCS) {
            router.getPublic(
                    "/docs/" + name + ".md",
                    new LazyAsset("text/plain; charset=utf-8", () -> read("docs/" + name + ".md")));
        }
        for (String file : FILES) {
            Handler asset = new LazyAsset(typeOf(file), () -> read(file));
            router.getPublic("/" + file, asset);
            if (file.equals("index.html")) {
                router.getPublic(
                        "/",
                        request -> request.caller().role().isPresent()
                                ? asset.handle(request)
                                : AdminResponse.seeOther("/login"));
            } else if (file.equals("login.html")) {
                router.getPublic(
                        "/login",
                        request -> needsLogin.getAsBoolean() ? asset.handle(request) : AdminResponse.seeOther("/"));
            }
        }
    }

    private static String typeOf(String file) {
        String type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalArgumentException(
                    "file: " + file + " (expected: one of the types " + TYPES.keySet() + ")");
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
