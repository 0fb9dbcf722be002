package io.ballast.config.shorthand;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Located;
import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HeaderFieldsType;
import io.ballast.config.keys.common.HeaderKeys;
import io.ballast.config.keys.dashboard.DashboardKeys;
import io.ballast.config.keys.http.ListenerKeys;
import io.ballast.config.keys.http.RouteKeys;
import io.ballast.config.keys.pool.StrategyKeys;
import io.ballast.config.longform.LongFormHints;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.net.config.TransportKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The keys of the short form: one listener and one pool. Keys are spelled as in Divisor's files. If BalancerX spells a
 * key differently, both spellings are accepted.
 */
public final class ShortForm {

    /** The name of the only pool. */
    static final String POOL = "default";

    private static final Pattern TIME = Pattern.compile("(?<!\\$)((?:\\$\\$)*)\\$time(?![A-Za-z0-9_])");
    private static final String ANY_ADDRESS = "0.0.0.0";

    private static final ShapeBuilder<BallastConfig> KEYS = Shape.named(
            "short_form", "One listener and one pool, with the configuration keys of Divisor and BalancerX.");

    private static final Key<StrategyKind> TYPE =
            KEYS.shorthand("type", StrategyKeys.KIND, "how a backend is selected; round-robin by default");
    private static final Key<StrategyKind> STRATEGY = KEYS.shorthand("strategy", StrategyKeys.KIND, "the same as type");
    private static final Key<String> HOST =
            KEYS.shorthand("host", ShortTypes.HOST, "the address to listen on; all addresses (0.0.0.0) by default");
    private static final Key<Integer> PORT = KEYS.required("port", ShortTypes.PORT, "the port to listen on");
    private static final Key<List<Located<ShortBackend>>> BACKENDS = KEYS.required(
            "backends",
            ListType.atLeastOne(ShortBackend.BACKEND.located())
                    .unique("url", backend -> backend.value().url())
                    .map(ShortBackend::requireUsableMember, backends -> backends),
            "the backends; at least one must have a weight above 0");
    private static final Key<Optional<Duration>> HEALTH_CHECKER_TIME = KEYS.shorthand(
            "health_checker_time", ShortTypes.DURATION, "interval between two health checks of a backend; default: 5s");
    private static final Key<ShortHealthCheck> HEALTH_CHECK =
            KEYS.shorthand("health_check", ShortHealthCheck.HEALTH_CHECK, "health checks with HTTP GET");
    private static final Key<HostPort> MONITORING =
            KEYS.shorthand("monitoring", ShortMonitoring.MONITORING, "the address of the dashboard");
    private static final Key<ShortServer> SERVER =
            KEYS.shorthand("server", ShortServer.SERVER, "limits and deadlines for clients");

    private static final Key<List<HeaderField>> CUSTOM_HEADERS = KEYS.shorthand(
            "custom_headers", HeaderFieldsType.FIELDS, "headers that are sent to backends (headers.request.set)");

    private static final Key<String> PROTOCOL =
            KEYS.shorthand("protocol", ListenerKeys.HTTP_PROTOCOL, "http or https; https requires server.cert_file");

    static {
        KEYS.shorthand(
                "middlewares",
                new MiddlewaresType(),
                "must be empty or contain only disabled entries, because middlewares are not supported");
        KEYS.ignored("logging", "see log of the long form");
        KEYS.unknownKeyHints(LongFormHints::ofFile);
        KEYS.atMostOne(TYPE, STRATEGY);
        KEYS.atMostOne(HEALTH_CHECKER_TIME, HEALTH_CHECK);
    }

    /** The shape of the whole file. */
    public static final Shape<BallastConfig> SHAPE = KEYS.build(ShortForm::build);

    private ShortForm() {}

    public static Optional<BallastConfig> read(Node.Mapping root, ReadContext reading) {
        return SHAPE.read(root, reading);
    }

    /** Returns a header in which Divisor's {@code $time} is replaced by the variable for milliseconds. */
    private static HeaderField withMilliseconds(HeaderField field) {
        String text = TIME.matcher(field.value().text()).replaceAll("$1\\$time_ms");
        return new HeaderField(field.name(), HeaderValue.parse(text));
    }

    private static HeaderRules customHeaders(Values values) {
        List<HeaderField> fields = values.find(CUSTOM_HEADERS).orElse(List.of());
        return HeaderKeys.ofRequest(
                fields.stream().map(ShortForm::withMilliseconds).toList());
    }

    private static BallastConfig build(Values values) {
        ShortServer server = values.find(SERVER).orElse(ShortServer.DEFAULT);
        HostPort bind = new HostPort(values.find(HOST).orElse(ANY_ADDRESS), values.get(PORT));
        values.reading().ports().bind("listener", bind, values.node(PORT), values.reading());
        if (values.find(PROTOCOL).filter(ListenerKeys.HTTPS::equals).isPresent()
                && server.tls().isEmpty()
                && !values.isInvalid(SERVER)) {
            values.reading()
                    .error(
                            values.node(PROTOCOL),
                            "https requires a certificate (expected: server.cert_file and server.key_file)");
        }
        HostPort monitoring = values.find(MONITORING).orElse(DashboardConfig.DEFAULT.bind());
        DashboardConfig dashboard = new DashboardConfig(/* enabled= */ true, monitoring);
        DashboardKeys.bind(dashboard, values.node(MONITORING), values.reading());
        StrategyKind strategy =
                values.find(TYPE).or(() -> values.find(STRATEGY)).orElse(StrategyConfig.DEFAULT.kind());
        ShortPool pool = new ShortPool(values.get(BACKENDS), values.reading());
        ShortHealthCheck health = values.find(HEALTH_CHECK)
                .orElse(new ShortHealthCheck(
                        Optional.empty(), values.find(HEALTH_CHECKER_TIME).flatMap(time -> time)));
        return new BallastConfig(
                List.of(new ListenerConfig(
                                bind.toString(),
                                bind,
                                List.of(RouteKeys.toPool(POOL)),
                                server.deadlines(),
                                server.limits(),
                                ListenerConfig.DEFAULT_FORWARDING)
                        .with(customHeaders(values), server.tls())),
                Map.of(POOL, pool.build(strategy, health, server.responseTimeout())),
                Optional.empty(),
                dashboard,
                BallastConfig.DEFAULT_EVENT_LOOPS,
                TransportKind.AUTO,
                server.grace(),
                BallastConfig.DEFAULT_DATA_DIR);
    }
}
