package io.ballast.config.keys.http;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HeaderKeys;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.errorpage.ErrorPagesType;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.http.config.PathRewrite;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import java.util.List;
import java.util.Optional;

/** The keys of {@code listeners[].routes[]}. */
public final class RouteKeys {

    private static final ShapeBuilder<RouteConfig> KEYS =
            Shape.named("route", "A pool or action for the requests that match.");

    private static final Key<RouteMatch> MATCH = KEYS.optional(
            "match",
            MatchKeys.MATCH,
            "conditions that a request must meet; every request matches by default",
            route -> Optional.of(route.match()).filter(match -> !match.equals(RouteMatch.ALL)));
    private static final Key<PathRewrite> REWRITE = KEYS.optional(
            "rewrite", ActionKeys.REWRITE, "how the path is changed; unchanged by default", RouteConfig::rewrite);
    private static final Key<String> POOL = KEYS.optional(
            "pool",
            NameReference.POOL,
            "pool that serves the requests",
            route -> route.action() instanceof RouteAction.ToPool to ? Optional.of(to.pool()) : Optional.empty());
    private static final Key<List<RouteAction.Share>> SPLIT = KEYS.optional(
            "split",
            ActionKeys.SPLIT,
            "pools among which the requests are split by weight",
            route ->
                    route.action() instanceof RouteAction.Split split ? Optional.of(split.shares()) : Optional.empty());
    private static final Key<RouteAction.Redirect> REDIRECT = KEYS.optional(
            "redirect",
            ActionKeys.REDIRECT,
            "address to which the client is redirected",
            route ->
                    route.action() instanceof RouteAction.Redirect redirect ? Optional.of(redirect) : Optional.empty());
    private static final Key<RouteAction.Respond> RESPOND = KEYS.optional(
            "respond",
            ActionKeys.RESPOND,
            "fixed response instead of a pool",
            route -> route.action() instanceof RouteAction.Respond respond ? Optional.of(respond) : Optional.empty());

    private static final Key<RouteAction.Files> FILES = KEYS.optional(
            "files",
            ActionKeys.FILES,
            "serves static files from a directory",
            route -> route.action() instanceof RouteAction.Files files ? Optional.of(files) : Optional.empty());

    private static final Key<HeaderRules> HEADERS = KEYS.optional(
            "headers",
            HeaderKeys.HEADERS,
            "header changes for the route's requests and responses",
            HeaderKeys.omitting(HeaderRules.NONE, RouteConfig::headers));

    private static final Key<List<String>> POLICIES = KEYS.optional(
            "policies",
            ListType.of(NameReference.POLICY).unique("policy", name -> name),
            "names of policies that apply to requests of this route; none by default",
            route -> Optional.of(route.policies()).filter(names -> !names.isEmpty()));

    private static final Key<ErrorPages> ERROR_PAGES = KEYS.optional(
            "error_pages",
            ErrorPagesType.ERROR_PAGES,
            "files with error pages by status (404, 5xx, default), used before those of the listener; intercept: statuses"
                    + " of backend responses that pages replace",
            HeaderKeys.omitting(ErrorPages.NONE, RouteConfig::errorPages));

    /** The keys that have no meaning with protocols other than HTTP. */
    static final List<Key<?>> HTTP_ONLY = List.of(REWRITE, REDIRECT, RESPOND, FILES, HEADERS, POLICIES, ERROR_PAGES);

    static {
        KEYS.exactlyOne(POOL, SPLIT, REDIRECT, RESPOND, FILES);
    }

    static final Type<RouteConfig> ROUTE = KEYS.build(RouteKeys::build);

    private RouteKeys() {}

    /** Returns a route that sends all requests to one pool. */
    public static RouteConfig toPool(String pool) {
        return RouteConfig.of(RouteMatch.ALL, new RouteAction.ToPool(pool));
    }

    /**
     * Describes the requests that a route matches. If two routes of a listener have the same description, one
     * hides the other.
     */
    static String matchLabel(RouteConfig route) {
        return route.match().label();
    }

    private static RouteConfig build(Values values) {
        return new RouteConfig(
                values.find(MATCH).orElse(RouteMatch.ALL),
                values.find(REWRITE),
                action(values),
                values.find(HEADERS).orElse(HeaderRules.NONE),
                values.find(POLICIES).orElse(List.of()),
                values.find(ERROR_PAGES).orElse(ErrorPages.NONE));
    }

    private static RouteAction action(Values values) {
        if (values.has(POOL)) {
            return new RouteAction.ToPool(values.get(POOL));
        }
        if (values.has(SPLIT)) {
            return new RouteAction.Split(values.get(SPLIT));
        }
        if (values.has(FILES)) {
            return values.get(FILES);
        }
        return values.has(REDIRECT) ? values.get(REDIRECT) : values.get(RESPOND);
    }
}
