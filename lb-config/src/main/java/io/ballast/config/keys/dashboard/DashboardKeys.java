package io.ballast.config.keys.dashboard;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.ReadContext;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.yaml.Node;
import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import io.ballast.dashboard.config.DashboardAccess;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.config.DashboardToken;
import io.ballast.dashboard.config.DashboardUser;
import io.ballast.dashboard.config.Histograms;
import io.ballast.dashboard.config.ReadyWhen;
import io.ballast.net.config.ListenerTls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The keys of {@code dashboard}. */
public final class DashboardKeys {

    private static final ShapeBuilder<DashboardConfig> KEYS =
            Shape.named("dashboard", "The listener of the dashboard.");

    private static final Key<Boolean> ENABLED = KEYS.optional(
            "enabled",
            Scalars.BOOLEAN,
            DashboardConfig.DEFAULT.enabled(),
            "whether the dashboard is served",
            DashboardConfig::enabled);
    private static final Key<HostPort> BIND = KEYS.optional(
            "bind",
            Addresses.BIND,
            DashboardConfig.DEFAULT.bind(),
            "address of the dashboard; a non-loopback address requires users, tokens or insecure; `[::]` accepts IPv4"
                    + " too",
            DashboardConfig::bind);

    private static final Key<ReadyWhen> READY_WHEN = KEYS.optional(
            "ready_when",
            EnumWords.of(ReadyWhen.class),
            DashboardConfig.DEFAULT.readyWhen(),
            "when /readyz returns 200; every_listener: each listener has a pool with a usable backend, and"
                    + " dns.forward has a usable resolver; every_pool: each pool has a usable backend; started: once"
                    + " the process accepts traffic",
            DashboardConfig::readyWhen);
    private static final Key<Histograms> HISTOGRAMS = KEYS.optional(
            "histograms",
            EnumWords.of(Histograms.class),
            DashboardConfig.DEFAULT.histograms(),
            "whether /metrics has a histogram of response times for each backend (16 lines each) in"
                    + " addition to those of pools",
            DashboardConfig::histograms);

    private static final Key<Duration> CERTIFICATE_WARNING = KEYS.optional(
            "certificate_warning",
            Durations.DURATION.map(DashboardKeys::certificateWarning, warning -> warning),
            DashboardConfig.DEFAULT_CERTIFICATE_WARNING,
            "how long before the expiry of a certificate the dashboard, the timeline and lb check warn; at most"
                    + " 365d; 0s: warn only after the expiry",
            DashboardConfig::certificateWarning);

    private static final Key<Duration> OVERRIDE_MAX = KEYS.optional(
            "override_max",
            Durations.DURATION.map(DashboardKeys::overrideMax, max -> max),
            DashboardConfig.DEFAULT_OVERRIDE_MAX,
            "longest time until an external override expires, from 1s to 365d; active overrides keep their expiry",
            DashboardConfig::overrideMax);

    private static final Key<List<DashboardUser>> USERS = KEYS.optional(
            "users",
            ListType.of(AccessKeys.USER).unique("name", DashboardUser::name),
            List.of(),
            "users who log in with a password; if users or tokens are set, authentication is required",
            dashboard -> dashboard.access().users());
    private static final Key<List<DashboardToken>> TOKENS = KEYS.optional(
            "tokens",
            ListType.of(AccessKeys.TOKEN).unique("name", DashboardToken::name),
            List.of(),
            "programs that authenticate with a bearer token",
            dashboard -> dashboard.access().tokens());
    private static final Key<Duration> SESSION_LIFETIME = KEYS.optional(
            "session_lifetime",
            Durations.DURATION.map(AccessKeys::lifetime, lifetime -> lifetime),
            DashboardAccess.DEFAULT.sessionLifetime(),
            "lifetime of a login session, from 1m to 30d",
            dashboard -> dashboard.access().sessionLifetime());
    private static final Key<List<String>> HOSTS = KEYS.optional(
            "hosts",
            ListType.of(AccessKeys.HOST).unique("host", host -> host),
            List.of(),
            "host names under which clients may reach the dashboard; localhost and, if it listens on a"
                    + " non-loopback address, its own addresses need no entry",
            dashboard -> dashboard.access().hosts());
    private static final Key<Boolean> INSECURE = KEYS.optional(
            "insecure",
            Scalars.BOOLEAN,
            DashboardAccess.DEFAULT.insecure(),
            "whether the dashboard may listen on a non-loopback address without authentication",
            dashboard -> dashboard.access().insecure());
    private static final Key<ListenerTls> TLS =
            KEYS.optional("tls", AdminTls.TLS, "TLS; plain HTTP by default", DashboardConfig::tls);

    static {
        KEYS.onReload(ReloadEffect.IMMEDIATE);
        KEYS.onReload(ReloadEffect.NEW_CONNECTIONS, TLS);
    }

    public static final Type<DashboardConfig> DASHBOARD = KEYS.build(DashboardKeys::build);

    private DashboardKeys() {}

    /** Returns the address if only this machine can reach it, otherwise rejects the value of {@code key}. */
    public static HostPort loopback(HostPort bind, String key) {
        Checks.that(
                Addresses.isLoopback(bind),
                key,
                bind,
                "a loopback address such as 127.0.0.1:8001; for other addresses, use the long form and set"
                        + " dashboard.users");
        return bind;
    }

    /** Registers the port of an enabled dashboard; a conflict is reported at {@code node}. */
    public static void bind(DashboardConfig dashboard, Node node, ReadContext reading) {
        if (dashboard.enabled()) {
            reading.ports().bind("dashboard", dashboard.bind(), node, reading);
        }
    }

    private static DashboardConfig build(Values values) {
        DashboardConfig dashboard = new DashboardConfig(
                values.get(ENABLED),
                values.get(BIND),
                values.get(READY_WHEN),
                values.get(HISTOGRAMS),
                values.get(CERTIFICATE_WARNING),
                values.get(OVERRIDE_MAX),
                access(values),
                values.find(TLS),
                Optional.empty());
        if (!values.isInvalid(BIND) && !values.isInvalid(ENABLED)) {
            bind(dashboard, values.node(BIND), values.reading());
            checkExposure(dashboard, values);
        }
        return dashboard;
    }

    private static Duration certificateWarning(Duration warning) {
        return DashboardConfig.DEFAULT.withCertificateWarning(warning).certificateWarning();
    }

    private static Duration overrideMax(Duration max) {
        return DashboardConfig.DEFAULT.withOverrideMax(max).overrideMax();
    }

    private static DashboardAccess access(Values values) {
        DashboardAccess access = new DashboardAccess(
                values.get(USERS),
                values.get(TOKENS),
                values.get(SESSION_LIFETIME),
                values.get(HOSTS),
                values.get(INSECURE));
        if (access.insecure() && access.needsLogin()) {
            values.reading().mismatch(values.node(INSECURE), "false, as there are users or tokens");
        }
        Set<String> names = access.users().stream().map(DashboardUser::name).collect(Collectors.toSet());
        access.tokens().stream()
                .filter(token -> names.contains(token.name()))
                .forEach(token -> values.reading()
                        .error(values.node(TOKENS), "duplicate name '" + token.name() + "' (also used by a user)"));
        return access;
    }

    private static void checkExposure(DashboardConfig dashboard, Values values) {
        boolean unreadable = values.isInvalid(USERS) || values.isInvalid(TOKENS) || values.isInvalid(INSECURE);
        if (dashboard.enabled()
                && !unreadable
                && !Addresses.isLoopback(dashboard.bind())
                && !dashboard.access().permitsOtherMachines()) {
            values.reading()
                    .mismatch(
                            values.node(BIND),
                            "a loopback address such as 127.0.0.1:8001; other machines can reach this address, so it"
                                    + " requires users, tokens or insecure: true");
        }
    }
}
