package io.ballast.http.config;

import io.ballast.core.config.Address;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.net.Cidr;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.ProxyProtocolConfig;
import io.ballast.net.config.SocketFile;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A listener. The settings of requests, heads and headers apply only to HTTP.
 *
 * @param name unique among listeners; label of its metrics (default: its bind address)
 * @param bind the address to listen on
 * @param routes at least one route; more specific routes are tried first, then the order of the file decides
 * @param deadlines the time limits of clients
 * @param limits the resource limits of clients
 * @param forwarding how forwarding headers of clients are handled
 * @param forwardingHeaders the forwarding headers that backends receive, in the order of the enum
 * @param trustedProxies peers whose forwarding headers are extended; if there are any, headers of other peers
 *     are replaced
 * @param underscores how request headers with an underscore in their names are handled
 * @param headers header changes in all requests and responses
 * @param requestId the request id that backends receive
 * @param accessLog the access log, if any
 * @param upgrades the protocols that clients may switch to ({@code Upgrade}), case-insensitive
 * @param tls TLS settings; absent for plain text
 * @param protocol the protocol of clients
 * @param proxyProtocol proxies that send the PROXY protocol; absent for direct clients
 * @param session the time limits of TCP and UDP sessions; absent with HTTP
 * @param socket the permissions of a Unix socket; not used for other addresses
 * @param paths how routes handle encoded slashes and backslashes
 * @param policies the names of the policies that apply to all requests
 * @param errorPages the error pages for all requests
 * @param http3 whether clients may use HTTP/3 over UDP at the same address; requires TLS
 */
public record ListenerConfig(
        String name,
        Address bind,
        List<RouteConfig> routes,
        ClientDeadlines deadlines,
        ClientLimits limits,
        ForwardingPolicies forwarding,
        Set<ForwardingHeader> forwardingHeaders,
        List<Cidr> trustedProxies,
        Underscores underscores,
        HeaderRules headers,
        Optional<RequestIdConfig> requestId,
        Optional<AccessLogConfig> accessLog,
        List<String> upgrades,
        Optional<ListenerTls> tls,
        ListenerProtocol protocol,
        Optional<ProxyProtocolConfig> proxyProtocol,
        Optional<SessionConfig> session,
        SocketFile socket,
        PathRules paths,
        List<String> policies,
        ErrorPages errorPages,
        boolean http3) {

    public static final ForwardingPolicies DEFAULT_FORWARDING = ForwardingPolicies.DEFAULT;
    public static final Underscores DEFAULT_UNDERSCORES = Underscores.PASS;
    public static final List<String> DEFAULT_UPGRADES = List.of("websocket");

    public ListenerConfig {
        routes = List.copyOf(routes);
        forwardingHeaders =
                forwardingHeaders.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(forwardingHeaders));
        trustedProxies = List.copyOf(trustedProxies);
        upgrades = List.copyOf(upgrades);
        policies = List.copyOf(policies);
    }

    /** Time limit for the steps before the first request or the session: TLS handshake and PROXY header. */
    public Duration startTimeout() {
        return session.map(SessionConfig::start).orElse(deadlines.requestHead());
    }

    /** Returns a copy with the routes {@code others} instead of its own. */
    public ListenerConfig withRoutes(List<RouteConfig> others) {
        return with(others, headers, tls, paths, policies, errorPages, http3);
    }

    /** Returns a copy without TLS. */
    public ListenerConfig withoutTls() {
        return with(routes, headers, Optional.empty(), paths, policies, errorPages, /* http3= */ false);
    }

    /** Returns a copy that does or does not serve HTTP/3. */
    public ListenerConfig withHttp3(boolean isOn) {
        return with(routes, headers, tls, paths, policies, errorPages, isOn);
    }

    /** Returns a copy with the path rules {@code others} instead of its own. */
    public ListenerConfig withPaths(PathRules others) {
        return with(routes, headers, tls, others, policies, errorPages, http3);
    }

    /** Returns a copy with the policies {@code others} instead of its own. */
    public ListenerConfig withPolicies(List<String> others) {
        return with(routes, headers, tls, paths, others, errorPages, http3);
    }

    /** Returns a copy with the error pages {@code others} instead of its own. */
    public ListenerConfig withErrorPages(ErrorPages others) {
        return with(routes, headers, tls, paths, policies, others, http3);
    }

    /** Returns a copy with these header changes and TLS settings. */
    public ListenerConfig with(HeaderRules headers, Optional<ListenerTls> tls) {
        return with(routes, headers, tls, paths, policies, errorPages, http3);
    }

    private ListenerConfig with(
            List<RouteConfig> routes,
            HeaderRules headers,
            Optional<ListenerTls> tls,
            PathRules paths,
            List<String> policies,
            ErrorPages errorPages,
            boolean http3) {
        return new ListenerConfig(
                name,
                bind,
                routes,
                deadlines,
                limits,
                forwarding,
                forwardingHeaders,
                trustedProxies,
                underscores,
                headers,
                requestId,
                accessLog,
                upgrades,
                tls,
                protocol,
                proxyProtocol,
                session,
                socket,
                paths,
                policies,
                errorPages,
                http3);
    }

    /** Creates an HTTP listener for direct clients, without TLS and header changes, with the default upgrades. */
    public ListenerConfig(
            String name,
            Address bind,
            List<RouteConfig> routes,
            ClientDeadlines deadlines,
            ClientLimits limits,
            ForwardingPolicies forwarding) {
        this(
                name,
                bind,
                routes,
                deadlines,
                limits,
                forwarding,
                ForwardingHeader.DEFAULT,
                List.of(),
                DEFAULT_UNDERSCORES,
                HeaderRules.NONE,
                /* requestId= */ Optional.empty(),
                /* accessLog= */ Optional.empty(),
                DEFAULT_UPGRADES,
                /* tls= */ Optional.empty(),
                ListenerProtocol.HTTP,
                /* proxyProtocol= */ Optional.empty(),
                /* session= */ Optional.empty(),
                SocketFile.DEFAULT,
                PathRules.DEFAULT,
                /* policies= */ List.of(),
                ErrorPages.NONE,
                /* http3= */ false);
    }
}
