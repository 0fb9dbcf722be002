package io.ballast.http.config;

import io.ballast.core.Checks;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.header.HeaderRules;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A route.
 *
 * @param match the conditions that a request must meet
 * @param rewrite the change of the request's path before the request is forwarded or redirected
 * @param action the action for matching requests
 * @param headers header rules for requests and responses of this route
 * @param policies the names of the policies that apply to requests of this route
 * @param errorPages the error pages for requests of this route
 */
public record RouteConfig(
        RouteMatch match,
        Optional<PathRewrite> rewrite,
        RouteAction action,
        HeaderRules headers,
        List<String> policies,
        ErrorPages errorPages) {

    public RouteConfig {
        policies = List.copyOf(policies);
        rewrite.ifPresent(change -> check(change, match.path(), action));
    }

    /** Creates a route without policies and error pages of its own. */
    public RouteConfig(RouteMatch match, Optional<PathRewrite> rewrite, RouteAction action, HeaderRules headers) {
        this(match, rewrite, action, headers, List.of(), ErrorPages.NONE);
    }

    /** Returns a copy with the error pages {@code others} instead of its own. */
    public RouteConfig withErrorPages(ErrorPages others) {
        return new RouteConfig(match, rewrite, action, headers, policies, others);
    }

    /**
     * Returns a route that matches a host and a path prefix, and changes nothing. A null {@code host} matches
     * every host, and a null {@code path} every path.
     */
    public static RouteConfig of(@Nullable String host, @Nullable String path, RouteAction action) {
        return of(RouteMatch.of(host, path), action);
    }

    /** Returns a route that changes neither the path nor the headers. */
    public static RouteConfig of(RouteMatch match, RouteAction action) {
        return new RouteConfig(match, Optional.empty(), action, HeaderRules.NONE);
    }

    private static void check(PathRewrite rewrite, PathMatch path, RouteAction action) {
        Checks.that(
                !(action instanceof RouteAction.Respond),
                "rewrite",
                rewrite,
                "no rewrite together with respond, which forwards no request");
        Checks.that(
                !(path instanceof PathMatch.Regex),
                "rewrite",
                rewrite,
                "a match with path or path_exact instead of path_regex");
        if (rewrite instanceof PathRewrite.Strip strip) {
            boolean begins = withTrailingSlash(path.text()).startsWith(withTrailingSlash(strip.prefix()));
            Checks.that(begins, "rewrite", strip.prefix(), "leading segments of the route's path, " + path.text());
        }
    }

    private static String withTrailingSlash(String path) {
        return path.endsWith("/") ? path : path + "/";
    }
}
