package io.ballast.server.config.form;

import io.ballast.core.config.AccessLogConfig;
import io.ballast.core.config.ClientDeadlines;
import io.ballast.core.config.ClientLimits;
import io.ballast.core.config.Forwarding;
import io.ballast.core.config.ForwardingHeader;
import io.ballast.core.config.HeaderRules;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.ListenerConfig;
import io.ballast.core.config.RequestIdConfig;
import io.ballast.core.config.RouteConfig;
import io.ballast.core.config.Underscores;
import io.ballast.core.net.Cidr;
import io.ballast.server.config.key.Addresses;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.ListType;
import io.ballast.server.config.key.Networks;
import io.ballast.server.config.key.Scalars;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import io.ballast.server.config.key.Values;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code listeners[]}. */
final class ListenerKeys {

    private static final String HTTP = "http";

    /** What listeners speak; only one protocol in this version, and its message says so. */
    static final Type<String> PROTOCOL = Scalars.matching(HTTP, "http; this version listens for nothing else", HTTP);

    private static final ShapeBuilder<ListenerConfig> KEYS = Shape.named("listener", "Where HTTP clients come in.");

    private static final Key<String> NAME = KEYS.optional(
            "name",
            Scalars.matching("name", "1 to 64 printable characters without spaces", "[!-~]{1,64}"),
            "label of its metrics; its bind address by default",
            listener -> Optional.of(listener.name()));
    private static final Key<HostPort> BIND =
            KEYS.required("bind", Addresses.bind("listener"), "the address to listen on", ListenerConfig::bind);

    static {
        KEYS.optional("protocol", PROTOCOL, HTTP, "what it speaks; only http in this version", listener -> HTTP);
    }

    private static final Key<List<RouteConfig>> ROUTES = KEYS.optional(
            "routes",
            ListType.atLeastOne(RouteKeys.ROUTE).unique("match", RouteKeys::matchLabel),
            "which requests go where; the most specific match first, then the order of the file",
            listener -> Optional.of(listener.routes()));
    private static final Key<String> POOL =
            KEYS.shorthand("pool", NameReference.POOL, "the pool that serves every request; instead of routes");
    private static final Key<ClientDeadlines> DEADLINES = KEYS.optional(
            "deadlines",
            DeadlineKeys.DEADLINES,
            ClientDeadlines.DEFAULT,
            "how long a client may take",
            ListenerConfig::deadlines);
    private static final Key<ClientLimits> LIMITS = KEYS.optional(
            "limits", LimitKeys.LIMITS, ClientLimits.DEFAULT, "how much a client may ask for", ListenerConfig::limits);
    private static final Key<Forwarding> FORWARDING = KEYS.optional(
            "forwarding",
            Words.of(Forwarding.class),
            ListenerConfig.DEFAULT_FORWARDING,
            "what happens to X-Forwarded-For and its like: replaced, appended to, or left alone",
            ListenerConfig::forwarding);
    private static final Key<List<ForwardingHeader>> FORWARDING_HEADERS = KEYS.optional(
            "forwarding_headers",
            ListType.of(Scalars.constant(ForwardingHeader.class, ForwardingHeader::label))
                    .unique("header", ForwardingHeader::label),
            List.copyOf(ForwardingHeader.DEFAULT),
            "which headers tell backends about the client; X-Forwarded-For, -Proto, -Host and Via by default",
            listener -> List.copyOf(listener.forwardingHeaders()));
    private static final Key<List<Cidr>> TRUSTED_PROXIES = KEYS.optional(
            "trusted_proxies",
            ListType.of(Networks.NETWORK),
            "peers whose forwarding headers are believed and appended to; with them, those of others are replaced",
            HeaderKeys.unless(List.of(), ListenerConfig::trustedProxies));
    private static final Key<Underscores> UNDERSCORES = KEYS.optional(
            "underscores",
            Words.of(Underscores.class),
            ListenerConfig.DEFAULT_UNDERSCORES,
            "what happens to request headers with an underscore in their names: passed on, left out, or answered with"
                    + " 400",
            ListenerConfig::underscores);
    private static final Key<HeaderRules> HEADERS = KEYS.optional(
            "headers",
            HeaderKeys.HEADERS,
            "what is changed in the headers of all requests and responses",
            HeaderKeys.unless(HeaderRules.NONE, ListenerConfig::headers));
    private static final Key<RequestIdConfig> REQUEST_ID = KEYS.optional(
            "request_id",
            RequestIdKeys.REQUEST_ID,
            "gives backends the id of a request; they get none by default",
            ListenerConfig::requestId);
    private static final Key<AccessLogConfig> ACCESS_LOG = KEYS.optional(
            "access_log",
            AccessLogKeys.ACCESS_LOG,
            "logs every request; none is logged by default",
            ListenerConfig::accessLog);

    static {
        KEYS.exactlyOne(ROUTES, POOL);
    }

    static final Type<ListenerConfig> LISTENER = KEYS.build(ListenerKeys::build);

    private ListenerKeys() {}

    private static ListenerConfig build(Values values) {
        HostPort bind = values.get(BIND);
        return new ListenerConfig(
                values.find(NAME).orElseGet(bind::toString),
                bind,
                values.find(ROUTES).orElseGet(() -> List.of(RouteKeys.toPool(values.get(POOL)))),
                values.get(DEADLINES),
                values.get(LIMITS),
                values.get(FORWARDING),
                Set.copyOf(values.get(FORWARDING_HEADERS)),
                values.find(TRUSTED_PROXIES).orElse(List.of()),
                values.get(UNDERSCORES),
                values.find(HEADERS).orElse(HeaderRules.NONE),
                values.find(REQUEST_ID),
                values.find(ACCESS_LOG));
    }
}
