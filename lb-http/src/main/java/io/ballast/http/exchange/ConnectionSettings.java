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
 * All that a listener's configuration says but its routes. A connection keeps the settings that it began with; once others
 * are in force, it ends after its next response. Immutable.
 */
public final class ConnectionSettings {

    private final ListenerConfig config;
    private final @Nullable AccessLog accessLog;
    private final @Nullable ServerTls tls;
    private final ListenerHeaders headers;
    private final ForwardingRules forwarding;
    private final @Nullable CidrSet proxies;
    private final List<UpgradeProtocol> upgrades;
    private final @Nullable ConnectionsPerClient perClient;
    private final @Nullable ConnectionSettings plain;
    private final ListenerTls.@Nullable PlainHttp plainHttp;

    /**
     * The first ones of a listener.
     *
     * @param accessLog where its requests are logged; null if they are not
     * @param tls by which clients come in; null if they come without
     */
    public ConnectionSettings(ListenerConfig config, @Nullable AccessLog accessLog, @Nullable ServerTls tls) {
        this(
                config,
                accessLog,
                tls,
                new ListenerHeaders(config),
                perClient(config.limits(), /* before= */ null),
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
        this.perClient = perClient;
        this.upgrades = UpgradeProtocol.all(config.upgrades());
        this.forwarding = new ForwardingRules(
                config.forwarding(), config.forwardingHeaders(), CidrSet.of(config.trustedProxies()));
        this.proxies = config.proxyProtocol()
                .map(proxyProtocol -> CidrSet.of(proxyProtocol.trusted()))
                .orElse(null);
        this.plainHttp = plainHttp;
        this.plain = config.tls().map(present -> plain(config, present)).orElse(null);
    }

    private ConnectionSettings plain(ListenerConfig config, ListenerTls present) {
        ListenerConfig withoutTls = config.withoutTls();
        return new ConnectionSettings(
                withoutTls, accessLog, /* tls= */ null, headers.with(withoutTls), perClient, present.plainHttp());
    }

    /** Those of connections on which HTTP came without TLS, where TLS is spoken; null if it is not. */
    public @Nullable ConnectionSettings plain() {
        return plain;
    }

    /** What requests get if these are {@link #plain}; null if they are not. */
    public ListenerTls.@Nullable PlainHttp plainHttp() {
        return plainHttp;
    }

    /** Other settings of the same listener, which go on with its numbers and counts. */
    public ConnectionSettings next(ListenerConfig config, @Nullable AccessLog accessLog, @Nullable ServerTls tls) {
        return new ConnectionSettings(
                config,
                accessLog,
                tls,
                headers.with(config),
                perClient(config.limits(), /* before= */ this),
                /* plainHttp= */ null);
    }

    /**
     * Clients are counted on with another limit, but anew if there was none, or if another number of bits makes a client:
     * connections from before are counted off where they were counted.
     */
    private static @Nullable ConnectionsPerClient perClient(ClientLimits limits, @Nullable ConnectionSettings before) {
        if (limits.connectionsPerClient() == 0) {
            return null;
        }
        if (before != null
                && before.perClient != null
                && before.config.limits().ipv6PrefixBits() == limits.ipv6PrefixBits()) {
            return before.perClient;
        }
        return new ConnectionsPerClient(limits.connectionsPerClient(), limits.ipv6PrefixBits());
    }

    /** Whether a configuration says the same, whatever its routes are. */
    public boolean areOf(ListenerConfig other) {
        return config.withRoutes(List.of()).equals(other.withRoutes(List.of()));
    }

    /** What it was made of; its routes are not to be asked for here. */
    public ListenerConfig config() {
        return config;
    }

    /** Where requests are logged; null if they are not. */
    public @Nullable AccessLog accessLog() {
        return accessLog;
    }

    /** By which clients come in; null if they come without. */
    public @Nullable ServerTls tls() {
        return tls;
    }

    /** What is said about headers before a route is known. */
    public ListenerHeaders headers() {
        return headers;
    }

    /** What happens to the headers that say who the client is. */
    public ForwardingRules forwarding() {
        return forwarding;
    }

    /** The peers that say by the PROXY protocol who their clients are; null if clients connect themselves. */
    public @Nullable CidrSet proxies() {
        return proxies;
    }

    /** The protocols that clients may switch to. */
    public List<UpgradeProtocol> upgrades() {
        return upgrades;
    }

    /** WebSocket if clients may switch to it; null if not. */
    public @Nullable UpgradeProtocol webSocket() {
        return upgrades.stream()
                .filter(UpgradeProtocol::isWebSocket)
                .findFirst()
                .orElse(null);
    }

    /** How many connections each client has; null if that is not limited. */
    @Nullable ConnectionsPerClient perClient() {
        return perClient;
    }
}
