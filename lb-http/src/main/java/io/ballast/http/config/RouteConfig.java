package io.ballast.http.config;

import io.ballast.core.Checks;
import io.ballast.core.config.header.HeaderRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which requests go where.
 *
 * @param match which requests
 * @param rewrite how their path is changed before they are passed on or redirected
 * @param action what happens to a request that matches
 * @param headers what is changed in requests and responses of this route
 */
public record RouteConfig(RouteMatch match, Optional<PathRewrite> rewrite, RouteAction action, HeaderRules headers) {

    public RouteConfig {
        rewrite.ifPresent(change -> check(change, match.path(), action));
    }

    /** Returns a route by host and path prefix, null for all, that changes nothing. */
    public static RouteConfig of(@Nullable String host, @Nullable String path, RouteAction action) {
        return of(RouteMatch.of(host, path), action);
    }

    /** Returns a route that changes nothing. */
    public static RouteConfig of(RouteMatch match, RouteAction action) {
        return new RouteConfig(match, Optional.empty(), action, HeaderRules.NONE);
    }

    private static void check(PathRewrite rewrite, PathMatch path, RouteAction action) {
        Checks.that(
                !(action instanceof RouteAction.Respond), "rewrite", rewrite, "no respond, which passes no path on");
        Checks.that(
                !(path instanceof PathMatch.Regex),
                "rewrite",
                rewrite,
                "match with path or path_exact, not path_regex");
        if (rewrite instanceof PathRewrite.Strip strip) {
            boolean begins = closed(path.text()).startsWith(closed(strip.prefix()));
            Checks.that(begins, "rewrite", strip.prefix(), "leading segments of the route's path, " + path.text());
        }
    }

    private static String closed(String path) {
        return path.endsWith("/") ? path : path + "/";
    }
}
