package io.ballast.http.exchange;

import io.ballast.core.net.CidrSet;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.forwarding.ForwardingRules;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.header.ListenerHeaders;
import io.ballast.http.log.AccessLog;
import io.ballast.net.clientlimit.ConnectionsPerClient;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.tls.ServerTls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a listener, except its routes. A connection keeps its initial settings. When newer
 * settings take effect, the connection ends after its next response. Immutable.
 */
public final class ConnectionSettings {

    private final ListenerConfig config;
    private final @Nullable AccessLog accessLog;
    private final @Nullable ServerTls tls;
    private final ListenerHeaders headers;
    private final ForwardingRules forwarding;
    private final @Nullable CidrSet proxyProtocolPeers;
    private final List<UpgradeProtocol> upgrades;
    private final @Nullable ConnectionsPerClient connectionsPerClient;
    private final @Nullable ConnectionSettings plain;
    private final ListenerTls.@Nullable PlainHttp plainHttp;

    /**
     * Creates the first settings of a listener.
     *
     * @param accessLog the log for requests to this listener; null for none
     * @param tls the TLS settings of client connections; null for plain text
     */
    public ConnectionSettings(ListenerConfig config, @Nullable AccessLog accessLog, @Nullable ServerTls tls) {
        this(
                config,
                accessLog,
                tls,
                new ListenerHeaders(config),
                connectionsPerClient(config.limits(), /* before= */ null),
                /* plainHttp= */ null);
    }

    private ConnectionSettings(
            ListenerConfig config,
            @Nullable AccessLog accessLog,
            @Nullable ServerTls tls,
            ListenerHeaders headers,
            @Nullable ConnectionsPerClient perClient,
            ListenerTls.@Nullable PlainHttp plainHttp) {
        this.config = config;
        this.accessLog = accessLog;
        this.tls = tls;
        this.headers = headers;
        this.connectionsPerClient = perClient;
        this.upgrades = UpgradeProtocol.all(config.upgrades());
        this.forwarding = new ForwardingRules(
                config.forwarding(), config.forwardingHeaders(), CidrSet.of(config.trustedProxies()));
        this.proxyProtocolPeers = config.proxyProtocol()
                .map(proxyProtocol -> CidrSet.of(proxyProtocol.trusted()))
                .orElse(null);
        this.plainHttp = plainHttp;
        this.plain = config.tls().map(present -> plain(config, present)).orElse(null);
    }

    private ConnectionSettings plain(ListenerConfig config, ListenerTls present) {
        ListenerConfig withoutTls = config.withoutTls();
        return new ConnectionSettings(
                withoutTls,
                accessLog,
                /* tls= */ null,
                headers.with(withoutTls),
                connectionsPerClient,
                present.plainHttp());
    }

    /**
     * Returns the settings for connections on which clients send plain HTTP to a TLS listener; null for a
     * listener without TLS.
     */
    public @Nullable ConnectionSettings plain() {
        return plain;
    }

    /**
     * Returns the action for plain HTTP requests if these are the settings returned by {@link #plain}; otherwise
     * null.
     */
    public ListenerTls.@Nullable PlainHttp plainHttp() {
        return plainHttp;
    }

    /**
     * Creates newer settings of the same listener. The new settings keep the listener's request numbers and its
     * connection counts per client.
     */
    public ConnectionSettings withConfig(
            ListenerConfig config, @Nullable AccessLog accessLog, @Nullable ServerTls tls) {
        return new ConnectionSettings(
                config,
                accessLog,
                tls,
                headers.with(config),
                connectionsPerClient(config.limits(), /* before= */ this),
                /* plainHttp= */ null);
    }

    /**
     * Keeps the connection counts per client if only the limit changes. Starts new counts if there was no limit before
     * or if the IPv6 prefix length changed. Each connection keeps its settings, so its start and its end are counted in
     * the same object.
     */
    private static @Nullable ConnectionsPerClient connectionsPerClient(
            ClientLimits limits, @Nullable ConnectionSettings before) {
        if (limits.connectionsPerClient() == 0) {
            return null;
        }
        if (before != null
                && before.connectionsPerClient != null
                && before.config.limits().ipv6PrefixBits() == limits.ipv6PrefixBits()) {
            return before.connectionsPerClient;
        }
        return new ConnectionsPerClient(limits.connectionsPerClient(), limits.ipv6PrefixBits());
    }

    /** Whether these settings were created from an equal configuration, regardless of routes and policies. */
    public boolean matches(ListenerConfig other) {
        return withoutRoutes(config).equals(withoutRoutes(other));
    }

    private static ListenerConfig withoutRoutes(ListenerConfig config) {
        return config.withRoutes(List.of()).withPolicies(List.of());
    }

    /** The configuration of the listener; its routes may be outdated and must not be used. */
    public ListenerConfig config() {
        return config;
    }

    /** The access log for requests; null for none. */
    public @Nullable AccessLog accessLog() {
        return accessLog;
    }

    /** The TLS settings of client connections; null for plain text. */
    public @Nullable ServerTls tls() {
        return tls;
    }

    /** The header changes that apply before a route is known. */
    public ListenerHeaders headers() {
        return headers;
    }

    /** The rules for headers that identify the client. */
    public ForwardingRules forwarding() {
        return forwarding;
    }

    /** The peers trusted to send PROXY protocol headers; null if the listener does not use that protocol. */
    public @Nullable CidrSet proxyProtocolPeers() {
        return proxyProtocolPeers;
    }

    /** The protocols that clients may switch to. */
    public List<UpgradeProtocol> upgrades() {
        return upgrades;
    }

    /** Returns WebSocket if clients may switch to it; otherwise null. */
    public @Nullable UpgradeProtocol webSocket() {
        return upgrades.stream()
                .filter(UpgradeProtocol::isWebSocket)
                .findFirst()
                .orElse(null);
    }

    /** The number of connections of each client; null if not limited. */
    @Nullable ConnectionsPerClient connectionsPerClient() {
        return connectionsPerClient;
    }
}
