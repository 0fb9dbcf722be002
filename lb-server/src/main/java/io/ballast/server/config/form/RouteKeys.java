package io.ballast.server.config.form;

import io.ballast.core.config.HeaderRules;
import io.ballast.core.config.RouteAction;
import io.ballast.core.config.RouteConfig;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.Scalars;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import io.ballast.server.config.key.Values;
import java.util.Optional;

/** {@code listeners[].routes[]}. */
final class RouteKeys {

    /** What a route asks of a request. */
    private record Match(Optional<String> host, Optional<String> path) {}

    private static final ShapeBuilder<Match> MATCH_KEYS =
            Shape.named("match", "What a request must have for a route; every condition that is given.");
    private static final Key<String> HOST = MATCH_KEYS.optional(
            "host", HttpTexts.HOST_PATTERN, "an exact host, or *.suffix; any host by default", Match::host);
    private static final Key<String> PATH = MATCH_KEYS.optional(
            "path", HttpTexts.PREFIX, "a path prefix by whole segments; any path by default", Match::path);
    private static final Shape<Match> MATCH_SHAPE =
            MATCH_KEYS.build(values -> new Match(values.find(HOST), values.find(PATH)));

    private static final ShapeBuilder<RouteAction.Respond> RESPOND_KEYS =
            Shape.named("respond", "An answer without a backend.");
    private static final Key<Integer> STATUS = RESPOND_KEYS.required(
            "status",
            Scalars.integer(RouteAction.Respond.MIN_STATUS, RouteAction.Respond.MAX_STATUS),
            "its status",
            RouteAction.Respond::status);
    private static final Key<String> BODY =
            RESPOND_KEYS.optional("body", Scalars.TEXT, "", "its body, sent as UTF-8", RouteAction.Respond::body);
    private static final Key<String> CONTENT_TYPE = RESPOND_KEYS.optional(
            "content_type",
            HttpTexts.HEADER_VALUE,
            RouteAction.Respond.DEFAULT_CONTENT_TYPE,
            "its Content-Type",
            RouteAction.Respond::contentType);
    private static final Shape<RouteAction.Respond> RESPOND_SHAPE = RESPOND_KEYS.build(
            values -> new RouteAction.Respond(values.get(STATUS), values.get(CONTENT_TYPE), values.get(BODY)));

    private static final ShapeBuilder<RouteConfig> KEYS = Shape.named("route", "Which requests go to which pool.");
    private static final Key<Match> MATCH =
            KEYS.optional("match", MATCH_SHAPE, "which requests; all by default", RouteKeys::match);
    private static final Key<String> POOL = KEYS.optional(
            "pool",
            PoolReference.POOL,
            "the pool that serves them",
            route -> route.action() instanceof RouteAction.ToPool to ? Optional.of(to.pool()) : Optional.empty());
    private static final Key<RouteAction.Respond> RESPOND = KEYS.optional(
            "respond",
            RESPOND_SHAPE,
            "a fixed answer instead of a pool",
            route -> route.action() instanceof RouteAction.Respond respond ? Optional.of(respond) : Optional.empty());

    private static final Key<HeaderRules> HEADERS = KEYS.optional(
            "headers",
            HeaderKeys.HEADERS,
            "what is changed in the headers of its requests and responses",
            HeaderKeys.unless(HeaderRules.NONE, RouteConfig::headers));

    static {
        KEYS.exactlyOne(POOL, RESPOND);
    }

    static final Type<RouteConfig> ROUTE = KEYS.build(RouteKeys::build);

    private RouteKeys() {}

    /** Returns the route of everything to one pool. */
    static RouteConfig toPool(String pool) {
        return new RouteConfig(null, null, new RouteAction.ToPool(pool));
    }

    /** Says which requests a route takes; two routes of one listener with the same text would hide each other. */
    static String matchLabel(RouteConfig route) {
        return (route.host() == null ? "*" : route.host()) + (route.path() == null ? "/" : route.path());
    }

    private static RouteConfig build(Values values) {
        Optional<Match> match = values.find(MATCH);
        RouteAction action = values.has(POOL) ? new RouteAction.ToPool(values.get(POOL)) : values.get(RESPOND);
        return new RouteConfig(
                match.flatMap(Match::host).orElse(null),
                match.flatMap(Match::path).orElse(null),
                action,
                values.find(HEADERS).orElse(HeaderRules.NONE));
    }

    private static Optional<Match> match(RouteConfig route) {
        return route.host() == null && route.path() == null
                ? Optional.empty()
                : Optional.of(new Match(Optional.ofNullable(route.host()), Optional.ofNullable(route.path())));
    }
}
