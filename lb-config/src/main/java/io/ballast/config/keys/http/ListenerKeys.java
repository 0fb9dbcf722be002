package io.ballast.config.keys.http;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.BoundAddress;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.HeaderKeys;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.common.ProxyProtocolKeys;
import io.ballast.config.keys.errorpage.ErrorPagesType;
import io.ballast.core.config.Address;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.net.Cidr;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.PathRules;
import io.ballast.http.config.RequestIdConfig;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.SlashRule;
import io.ballast.http.config.Underscores;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.ProxyProtocolConfig;
import io.ballast.net.config.SocketFile;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The keys of {@code listeners[]}. */
public final class ListenerKeys {

    static final String HTTP = "http";
    public static final String HTTPS = "https";

    /** The protocol of a listener in the short form. */
    public static final Type<String> HTTP_PROTOCOL =
            Scalars.matching(HTTP, "http or https; the short form supports no other protocol", "https?");

    private static final Type<String> ANY_PROTOCOL =
            Scalars.matching("http, https, tcp, udp", "http, https, tcp or udp", "https?|tcp|udp");

    /**
     * The name of a protocol. Protocols that can carry HTTP are excluded, because requests inside them would
     * bypass all rules.
     */
    private static final Type<String> PROTOCOL_NAME = Scalars.matching(
            "protocol",
            "a protocol such as websocket; not h2c, HTTP or TLS, which can carry further requests",
            "(?![hH]2[cC]?$|[hH][tT][tT][pP](/|$)|[tT][lL][sS](/|$))[A-Za-z0-9._+-]{1,32}(/[A-Za-z0-9._+-]{1,16})?");

    private static final ShapeBuilder<ListenerConfig> KEYS = Shape.named(
            "listener", "A listener for clients. With protocol tcp or udp, keys that apply only to HTTP are errors.");

    private static final Key<String> NAME = KEYS.optional(
            "name",
            Scalars.matching("name", "1 to 128 printable characters without spaces", "[!-~]{1,128}"),
            "name of the listener in metrics; default: its bind address, followed by /udp with protocol udp",
            listener -> Optional.of(listener.name()));
    private static final Key<Address> BIND = KEYS.required(
            "bind",
            Addresses.LISTENER,
            "the address to listen on; `0.0.0.0` accepts clients on all IPv4 addresses, `[::]` on all IPv6 and IPv4"
                    + " addresses (an error at startup if the machine has no IPv6)",
            ListenerConfig::bind);
    private static final Key<SocketFile> SOCKET = KEYS.optional(
            "socket",
            SocketFileKeys.SOCKET,
            "owner and mode of a Unix socket; only if bind is a Unix socket",
            HeaderKeys.omitting(SocketFile.DEFAULT, ListenerConfig::socket));
    private static final Key<String> PROTOCOL = KEYS.optional(
            "protocol",
            ANY_PROTOCOL,
            HTTP,
            "what is balanced: HTTP requests (https is http with tls), TCP connections of any protocol, or UDP datagrams",
            ListenerKeys::word);

    private static final Key<List<RouteConfig>> ROUTES = KEYS.optional(
            "routes",
            ListType.atLeastOne(RouteKeys.ROUTE).unique("match", RouteKeys::matchLabel),
            "pool or action for each request; the most specific match is used, then the first in the file",
            listener -> Optional.of(listener.routes()));
    private static final Key<String> POOL =
            KEYS.shorthand("pool", NameReference.POOL, "the pool that serves every request; instead of routes");
    private static final Key<RouteConfig> REDIRECT = KEYS.shorthand(
            "redirect",
            HttpsRedirect.REDIRECT,
            "https, or https with a port such as https:8443: redirects every request there; instead of routes");
    private static final Key<ClientDeadlines> DEADLINES = KEYS.optional(
            "deadlines",
            DeadlineKeys.DEADLINES,
            ClientDeadlines.DEFAULT,
            "timeouts for clients",
            ListenerConfig::deadlines,
            ListenerKeys::isHttp);
    private static final Key<LimitKeys> LIMITS =
            KEYS.optional("limits", LimitKeys.LIMITS, LimitKeys.NONE, "limits for clients", LimitKeys::of);
    private static final Key<ForwardingPolicies> FORWARDING = KEYS.optional(
            "forwarding",
            ForwardingKeys.FORWARDING,
            ListenerConfig.DEFAULT_FORWARDING,
            "whether the headers X-Forwarded-* and Forwarded of clients are replaced, appended to, or left"
                    + " unchanged; one word for all of them, or a policy for each",
            ListenerConfig::forwarding,
            ListenerKeys::isHttp);
    private static final Key<List<ForwardingHeader>> FORWARDING_HEADERS = KEYS.optional(
            "forwarding_headers",
            ListType.of(Scalars.constant(ForwardingHeader.class, ForwardingHeader::label))
                    .unique("header", ForwardingHeader::label),
            List.copyOf(ForwardingHeader.DEFAULT),
            "headers that send the client's address, scheme and host to backends; default: X-Forwarded-For,"
                    + " -Proto and -Host",
            listener -> List.copyOf(listener.forwardingHeaders()),
            ListenerKeys::isHttp);
    private static final Key<List<Cidr>> TRUSTED_PROXIES = KEYS.optional(
            "trusted_proxies",
            ListType.of(Networks.NETWORK),
            "networks of proxies whose forwarding headers are trusted and appended to; if set, those of all"
                    + " other peers are replaced",
            HeaderKeys.omitting(List.of(), ListenerConfig::trustedProxies));
    private static final Key<Underscores> UNDERSCORES = KEYS.optional(
            "underscores",
            EnumWords.of(Underscores.class),
            ListenerConfig.DEFAULT_UNDERSCORES,
            "handling of request headers with an underscore in their names: forwarded, removed, or"
                    + " answered with 400",
            ListenerConfig::underscores,
            ListenerKeys::isHttp);
    private static final Key<SlashRule> ENCODED_SLASH = KEYS.optional(
            "encoded_slash",
            EnumWords.of(SlashRule.class),
            PathRules.DEFAULT.encodedSlash(),
            "handling of paths with %2F; check: forwarded if the same route matches whether or not it is read as a"
                    + " slash, else answered with 400; pass: never a slash; reject: answered with 400;"
                    + " decode: always a slash",
            listener -> listener.paths().encodedSlash(),
            ListenerKeys::isHttp);
    private static final Key<SlashRule> BACKSLASH = KEYS.optional(
            "backslash",
            EnumWords.of(SlashRule.class),
            PathRules.DEFAULT.backslash(),
            "the same for backslashes, literal or encoded as %5C",
            listener -> listener.paths().backslash(),
            ListenerKeys::isHttp);
    private static final Key<HeaderRules> HEADERS = KEYS.optional(
            "headers",
            HeaderKeys.HEADERS,
            "header changes for all requests and responses",
            HeaderKeys.omitting(HeaderRules.NONE, ListenerConfig::headers));
    private static final Key<RequestIdConfig> REQUEST_ID = KEYS.optional(
            "request_id",
            RequestIdKeys.REQUEST_ID,
            "header that sends the request ID to backends; not sent by default",
            ListenerConfig::requestId);
    private static final Key<AccessLogConfig> ACCESS_LOG = KEYS.optional(
            "access_log",
            AccessLogKeys.ACCESS_LOG,
            "request log, or session log with protocol tcp and udp; off by default",
            ListenerConfig::accessLog);
    private static final Key<ProxyProtocolConfig> PROXY_PROTOCOL = KEYS.optional(
            "proxy_protocol",
            ProxyProtocolKeys.PROXY_PROTOCOL,
            "accepts the PROXY protocol, which proxies in front use to send the client's address; off by default",
            ListenerConfig::proxyProtocol);
    private static final Key<SessionKeys> SESSION = KEYS.optional(
            "session", SessionKeys.SESSION, "timeouts of sessions; only with protocol tcp and udp", SessionKeys::of);

    private static final Key<List<String>> UPGRADES = KEYS.optional(
            "upgrades",
            ListType.of(PROTOCOL_NAME).unique("protocol", name -> name.toLowerCase(Locale.ROOT)),
            ListenerConfig.DEFAULT_UPGRADES,
            "protocols to which clients may switch with the Upgrade header; other protocols are removed from requests;"
                    + " websocket by default",
            ListenerConfig::upgrades,
            ListenerKeys::isHttp);

    private static final Key<ListenerTls> TLS =
            KEYS.optional("tls", ListenerTlsKeys.TLS, "serves clients over TLS; off by default", ListenerConfig::tls);

    private static final Key<Boolean> HTTP3 = KEYS.optional(
            "http3",
            Scalars.BOOLEAN,
            false,
            "also serves HTTP/3 over UDP at the same address and announces it to clients (Alt-Svc); requires tls",
            ListenerConfig::http3,
            ListenerKeys::isHttp);

    private static final Key<List<String>> POLICIES = KEYS.optional(
            "policies",
            ListType.of(NameReference.POLICY).unique("policy", name -> name),
            "names of policies that apply to all requests, before those of the route and of its pool; none by default",
            listener -> Optional.of(listener.policies()).filter(names -> !names.isEmpty()));

    private static final Key<ErrorPages> ERROR_PAGES = KEYS.optional(
            "error_pages",
            ErrorPagesType.ERROR_PAGES,
            "files with error pages by status (404, 5xx, default), unless the route or its pool has one for the status;"
                    + " intercept: statuses of backend responses that pages replace",
            HeaderKeys.omitting(ErrorPages.NONE, ListenerConfig::errorPages));

    /** The keys that have no meaning with protocols other than HTTP. */
    static final List<Key<?>> HTTP_ONLY = List.of(
            REDIRECT,
            DEADLINES,
            FORWARDING,
            FORWARDING_HEADERS,
            TRUSTED_PROXIES,
            UNDERSCORES,
            ENCODED_SLASH,
            BACKSLASH,
            HEADERS,
            REQUEST_ID,
            UPGRADES,
            HTTP3,
            POLICIES,
            ERROR_PAGES);

    static {
        KEYS.exactlyOne(ROUTES, POOL, REDIRECT);
    }

    static {
        KEYS.onReload(ReloadEffect.NEW_CONNECTIONS);
        KEYS.onReload(ReloadEffect.IMMEDIATE, ROUTES, POOL, REDIRECT, POLICIES);
        KEYS.onReload(ReloadEffect.REPLACES_OBJECT, NAME, BIND, SOCKET, PROTOCOL);
    }

    public static final Type<ListenerConfig> LISTENER = KEYS.build(ListenerKeys::build);

    private ListenerKeys() {}

    private static String word(ListenerConfig listener) {
        boolean https = isHttp(listener) && listener.tls().isPresent();
        return https ? HTTPS : listener.protocol().name().toLowerCase(Locale.ROOT);
    }

    private static boolean isHttp(ListenerConfig listener) {
        return listener.protocol() == ListenerProtocol.HTTP;
    }

    private static ListenerConfig build(Values values) {
        Address bind = values.get(BIND);
        String word = values.get(PROTOCOL);
        ListenerProtocol protocol =
                word.equals(HTTPS) ? ListenerProtocol.HTTP : ListenerProtocol.valueOf(EnumWords.upper(word));
        boolean secured = values.has(TLS) || values.isInvalid(TLS);
        if (word.equals(HTTPS) && !secured) {
            values.reading().error(values.node(PROTOCOL), "protocol https requires the key tls with a certificate");
        }
        BoundAddress.check(bind, protocol, values.mapping(), values.node(BIND), values.reading());
        ProtocolScope.check(values.mapping(), protocol, values.reading());
        if (values.get(HTTP3) && protocol == ListenerProtocol.HTTP) {
            checkHttp3(values, bind, secured);
        }
        return new ListenerConfig(
                values.find(NAME).orElseGet(() -> protocol == ListenerProtocol.UDP ? bind + "/udp" : bind.toString()),
                bind,
                routes(values),
                values.get(DEADLINES),
                values.get(LIMITS).of(protocol),
                values.get(FORWARDING),
                Set.copyOf(values.get(FORWARDING_HEADERS)),
                values.find(TRUSTED_PROXIES).orElse(List.of()),
                values.get(UNDERSCORES),
                values.find(HEADERS).orElse(HeaderRules.NONE),
                values.find(REQUEST_ID),
                values.find(ACCESS_LOG),
                values.get(UPGRADES),
                values.find(TLS),
                protocol,
                values.find(PROXY_PROTOCOL),
                protocol == ListenerProtocol.HTTP
                        ? Optional.empty()
                        : Optional.of(
                                values.find(SESSION).orElse(SessionKeys.NONE).of(protocol)),
                values.find(SOCKET).orElse(SocketFile.DEFAULT),
                new PathRules(values.get(ENCODED_SLASH), values.get(BACKSLASH)),
                values.find(POLICIES).orElse(List.of()),
                values.find(ERROR_PAGES).orElse(ErrorPages.NONE),
                values.get(HTTP3));
    }

    private static void checkHttp3(Values values, Address bind, boolean secured) {
        String problem = null;
        if (!secured) {
            problem = "http3 requires the key tls with a certificate";
        } else if (bind instanceof UnixSocket) {
            problem = "http3 requires an IP address and a port in bind, because it uses UDP";
        } else if (values.has(PROXY_PROTOCOL)) {
            problem = "http3 cannot be combined with proxy_protocol, which exists only for TCP";
        } else if (values.find(TLS).flatMap(ListenerTls::clientCertificates).isPresent()) {
            problem = "http3 cannot be combined with tls.client_certificate";
        }
        if (problem != null) {
            values.reading().error(values.node(HTTP3), problem);
        }
    }

    private static List<RouteConfig> routes(Values values) {
        if (values.has(REDIRECT)) {
            return List.of(values.get(REDIRECT));
        }
        return values.find(ROUTES).orElseGet(() -> List.of(RouteKeys.toPool(values.get(POOL))));
    }
}
