package io.ballast.http.testing;

import io.ballast.core.config.Address;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.net.Cidr;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.PathRules;
import io.ballast.http.config.RequestIdConfig;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.SessionConfig;
import io.ballast.http.config.Underscores;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.ProxyProtocolConfig;
import io.ballast.net.config.SocketFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The options that all listeners of a {@link BalancerSetup} share. */
final class ListenerOptions {

    ClientDeadlines deadlines = ClientDeadlines.DEFAULT;
    ClientLimits limits = ClientLimits.DEFAULT;
    ForwardingPolicies forwarding = ForwardingPolicies.of(Forwarding.OFF);
    Set<ForwardingHeader> forwardingHeaders = ForwardingHeader.DEFAULT;
    List<Cidr> trustedProxies = List.of();
    PathRules paths = PathRules.DEFAULT;
    Underscores underscores = ListenerConfig.DEFAULT_UNDERSCORES;
    HeaderRules headers = HeaderRules.NONE;
    Optional<RequestIdConfig> requestId = Optional.empty();
    Optional<AccessLogConfig> accessLog = Optional.empty();
    List<String> upgrades = ListenerConfig.DEFAULT_UPGRADES;
    Optional<ListenerTls> tls = Optional.empty();
    ListenerProtocol protocol = ListenerProtocol.HTTP;
    Optional<ProxyProtocolConfig> proxyProtocol = Optional.empty();
    Optional<SessionConfig> session = Optional.empty();
    List<NamedPolicy> policies = List.of();
    ErrorPages errorPages = ErrorPages.NONE;
    SocketFile socket = SocketFile.DEFAULT;
    boolean http3;

    /** Returns a listener with these routes. */
    ListenerConfig build(String name, Address bind, List<RouteConfig> routes) {
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
                policies.stream().map(NamedPolicy::name).toList(),
                errorPages,
                http3);
    }
}
