package io.ballast.core.config;

import io.ballast.core.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Which requests go to which pool.
 *
 * @param host an exact host name or {@code *.suffix}, in lower case, without port; null matches every host
 * @param path a path prefix by whole segments, starting with a slash; null matches every path
 * @param action what happens to a request that matches
 * @param headers what is changed in requests and responses of this route
 */
public record RouteConfig(@Nullable String host, @Nullable String path, RouteAction action, HeaderRules headers) {

    public RouteConfig {
        Checks.that(host == null || !host.isEmpty(), "host", "''", "a host name");
        Checks.that(path == null || path.startsWith("/"), "path", String.valueOf(path), "a path that starts with /");
    }

    /** A route that changes no headers. */
    public RouteConfig(@Nullable String host, @Nullable String path, RouteAction action) {
        this(host, path, action, HeaderRules.NONE);
    }
}
