package io.ballast.dashboard.web;

import io.ballast.dashboard.server.Handler;
import io.ballast.dashboard.server.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

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
            "alerts.js",
            "app.js",
            "certificates.js",
            "chart.js",
            "condition.js",
            "detail.js",
            "dns.js",
            "down.js",
            "events.js",
            "explain.js",
            "filter.js",
            "format.js",
            "header.js",
            "listeners.js",
            "orders.js",
            "overview.js",
            "pool.js",
            "pools.js",
            "row.js",
            "sparkline.js",
            "store.js",
            "stream.js",
            "table.js",
            "theme.js",
            "vendor.js");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private Assets() {}

    /** Adds a route for each file, and the page itself at {@code /}. */
    public static void addTo(Router router) {
        for (String file : FILES) {
            Handler asset = new AssetOnDemand(typeOf(file), () -> read(file));
            router.get("/" + file, asset);
            if (file.equals("index.html")) {
                router.get("/", asset);
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
