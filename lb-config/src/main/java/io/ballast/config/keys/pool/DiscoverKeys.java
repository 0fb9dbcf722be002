package io.ballast.config.keys.pool;

import io.ballast.config.key.Durations;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.core.Checks;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.core.config.PoolDiscovery;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The keys of {@code pools.NAME.discover[]}; most keys apply only to some discovery types. */
final class DiscoverKeys {

    private enum Kind {
        FILE,
        DNS,
        SRV,
        CONSUL,
        KUBERNETES,
        DOCKER
    }

    /** Placeholders for missing or invalid values, which have been reported. */
    private static final Path NO_PATH = Path.of("");

    private static final String NO_NAME = "reported";
    private static final int NO_PORT = 1;

    private static final int LAST_PORT = 65535;
    private static final String EXPECTED_PORT = "a port from 1 to " + LAST_PORT;

    private static final Type<String> NAME = Scalars.matching(
            "DNS name",
            "a name such as app.internal, or _http._tcp.app.internal with type srv",
            "[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*\\.?");
    private static final Type<String> PORT_OR_NAME = Scalars.matchingOrNumber(
            "port", EXPECTED_PORT + ", or a port name with type kubernetes", "[0-9]{1,5}|[a-z0-9-]{1,15}");
    private static final Type<String> WORD =
            Scalars.matchingOrNumber("word", "1 to 253 characters without spaces", "[!-~]{1,253}");
    private static final Type<URI> URL = Scalars.matching(
                    "URL",
                    "a URL such as http://127.0.0.1:8500, without user information or query",
                    "https?://[A-Za-z0-9.:\\[\\]-]+(/[A-Za-z0-9._~/-]*)?")
            .map(DiscoverKeys::uri, URI::toString);
    private static final Type<String> SECRET =
            SecretType.of("token", "1 to 4096 printable characters", "[!-~]{1,4096}", text -> text, text -> text);

    private static final Map<Key<?>, Set<Kind>> SCOPES = new LinkedHashMap<>();

    private static final ShapeBuilder<PoolDiscovery> KEYS = Shape.named(
            "discover",
            "A source that adds and removes backends. If it fails, its last result stays in"
                    + " use, even across restarts.");

    private static final Key<Kind> TYPE = KEYS.required(
            "type",
            EnumWords.of(Kind.class),
            "file: a file, or a directory of files, each with a list of backends, reloaded"
                    + " when they change; dns: all addresses of a name; srv: the SRV records of a name;"
                    + " consul: the instances of a service that pass their checks; kubernetes: the"
                    + " endpoints of a service; docker: containers with the label ballast.pool",
            discovery -> Kind.valueOf(EnumWords.upper(discovery.source().type())));
    private static final Key<Path> PATH = scoped(
            EnumSet.of(Kind.FILE),
            KEYS.optional(
                    "path",
                    new FileType(),
                    "the file or directory; required with type file, not allowed otherwise",
                    of(DiscoveryConfig.File.class, file -> Optional.of(file.path()))));
    private static final Key<String> LOOKUP_NAME = scoped(
            EnumSet.of(Kind.DNS, Kind.SRV),
            KEYS.optional(
                    "name",
                    NAME,
                    "the name to look up; required with type dns or srv, not allowed otherwise",
                    DiscoverKeys::lookupName));
    private static final Key<String> SERVICE = scoped(
            EnumSet.of(Kind.CONSUL, Kind.KUBERNETES, Kind.DOCKER),
            KEYS.optional(
                    "service",
                    WORD,
                    "the name of the service, or the value of the label ballast.pool; required with"
                            + " type consul, kubernetes or docker, not allowed otherwise",
                    DiscoverKeys::service));
    private static final Key<String> PORT = scoped(
            EnumSet.of(Kind.DNS, Kind.KUBERNETES, Kind.DOCKER),
            KEYS.optional(
                    "port",
                    PORT_OR_NAME,
                    "port of each backend: required with type dns; with kubernetes a name or number,"
                            + " required if a service has several; with docker for containers without the label"
                            + " ballast.port",
                    DiscoverKeys::port));
    private static final Key<URI> ADDRESS = scoped(
            EnumSet.of(Kind.CONSUL),
            KEYS.optional(
                    "address",
                    URL,
                    "URL of a Consul agent; " + DiscoveryConfig.Consul.DEFAULT_ADDRESS
                            + " by default; only with type consul",
                    of(DiscoveryConfig.Consul.class, consul -> Optional.of(consul.address()))));
    private static final Key<String> TAG = scoped(
            EnumSet.of(Kind.CONSUL),
            KEYS.optional(
                    "tag",
                    WORD,
                    "tag that an instance must have; any by default; only with type consul",
                    of(DiscoveryConfig.Consul.class, DiscoveryConfig.Consul::tag)));
    private static final Key<String> TOKEN = scoped(
            EnumSet.of(Kind.CONSUL),
            KEYS.optional(
                    "token",
                    SECRET,
                    "token for the agent, such as ${CONSUL_TOKEN}; none by default; only with type consul",
                    of(DiscoveryConfig.Consul.class, DiscoveryConfig.Consul::token)));
    private static final Key<String> DATACENTER = scoped(
            EnumSet.of(Kind.CONSUL),
            KEYS.optional(
                    "datacenter",
                    WORD,
                    "datacenter of the service; the datacenter of the agent by default; only with type consul",
                    of(DiscoveryConfig.Consul.class, DiscoveryConfig.Consul::datacenter)));
    private static final Key<String> NAMESPACE = scoped(
            EnumSet.of(Kind.KUBERNETES),
            KEYS.optional(
                    "namespace",
                    WORD,
                    "namespace of the service; the namespace of this process by default; only with type kubernetes",
                    of(DiscoveryConfig.Kubernetes.class, DiscoveryConfig.Kubernetes::namespace)));
    private static final Key<URI> API = scoped(
            EnumSet.of(Kind.KUBERNETES),
            KEYS.optional(
                    "api",
                    URL,
                    "URL of the API server; the cluster of this process by default; only with type kubernetes",
                    of(DiscoveryConfig.Kubernetes.class, DiscoveryConfig.Kubernetes::api)));
    private static final Key<Path> TOKEN_FILE = scoped(
            EnumSet.of(Kind.KUBERNETES),
            KEYS.optional(
                    "token_file",
                    new FileType(),
                    "file with the token for the API server; the token of the service account by default;"
                            + " only with type kubernetes",
                    of(DiscoveryConfig.Kubernetes.class, DiscoveryConfig.Kubernetes::tokenFile)));
    private static final Key<Path> CA_FILE = scoped(
            EnumSet.of(Kind.KUBERNETES),
            KEYS.optional(
                    "ca_file",
                    new FileType(),
                    "PEM file with the CA certificates for the API server; those of the service account by"
                            + " default; only with type kubernetes",
                    of(DiscoveryConfig.Kubernetes.class, DiscoveryConfig.Kubernetes::caFile)));
    private static final Key<Path> SOCKET = scoped(
            EnumSet.of(Kind.DOCKER),
            KEYS.optional(
                    "socket",
                    new FileType(),
                    "socket of the Docker daemon; " + DiscoveryConfig.Docker.DEFAULT_SOCKET
                            + " by default; only with type docker",
                    of(DiscoveryConfig.Docker.class, docker -> Optional.of(docker.socket()))));
    private static final Key<Duration> HOLD = KEYS.optional(
            "hold",
            Durations.DURATION,
            PoolDiscovery.DEFAULT_HOLD,
            "how long a result that removes more than half of the backends must persist before"
                    + " it is applied; 0s applies it immediately",
            PoolDiscovery::hold);
    private static final Key<Boolean> ALLOW_LOCAL = KEYS.optional(
            "allow_local",
            Scalars.BOOLEAN,
            PoolDiscovery.DEFAULT_ALLOW_LOCAL,
            "whether loopback and link-local addresses are accepted",
            PoolDiscovery::allowLocal);

    static final Type<PoolDiscovery> DISCOVER = KEYS.build(DiscoverKeys::build);

    private DiscoverKeys() {}

    private static PoolDiscovery build(Values values) {
        Kind kind = values.get(TYPE);
        SCOPES.forEach((key, kinds) -> Checks.that(
                kinds.contains(kind) || !values.has(key), key.name(), "", "only with type " + words(kinds)));
        return new PoolDiscovery(source(kind, values), values.get(HOLD), values.get(ALLOW_LOCAL));
    }

    private static DiscoveryConfig source(Kind kind, Values values) {
        return switch (kind) {
            case FILE -> new DiscoveryConfig.File(required(PATH, NO_PATH, "a file or a directory", values));
            case DNS -> {
                String port = required(PORT, Integer.toString(NO_PORT), EXPECTED_PORT, values);
                yield new DiscoveryConfig.Names(
                        required(LOOKUP_NAME, NO_NAME, "a DNS name", values), number(port, values));
            }
            case SRV -> new DiscoveryConfig.Srv(required(LOOKUP_NAME, NO_NAME, "a DNS name", values));
            case CONSUL ->
                new DiscoveryConfig.Consul(
                        values.find(ADDRESS).orElse(DiscoveryConfig.Consul.DEFAULT_ADDRESS),
                        required(SERVICE, NO_NAME, "a service name", values),
                        values.find(TAG),
                        values.find(TOKEN),
                        values.find(DATACENTER));
            case KUBERNETES ->
                new DiscoveryConfig.Kubernetes(
                        values.find(NAMESPACE),
                        required(SERVICE, NO_NAME, "a service name", values),
                        values.find(PORT),
                        values.find(API),
                        values.find(TOKEN_FILE),
                        values.find(CA_FILE));
            case DOCKER ->
                new DiscoveryConfig.Docker(
                        values.find(SOCKET).orElse(DiscoveryConfig.Docker.DEFAULT_SOCKET),
                        required(SERVICE, NO_NAME, "the value of the label ballast.pool", values),
                        values.find(PORT).map(port -> number(port, values)));
        };
    }

    private static int number(String port, Values values) {
        if (port.matches("[0-9]{1,5}")) {
            int number = Integer.parseInt(port);
            if (number >= 1 && number <= LAST_PORT) {
                return number;
            }
        }
        values.reading().mismatch(values.node(PORT), EXPECTED_PORT);
        return NO_PORT;
    }

    private static <T> T required(Key<T> key, T replacement, String expected, Values values) {
        if (!values.has(key) && !values.isInvalid(key)) {
            values.reading().error(values.mapping(), key.name() + " is missing (expected: " + expected + ")");
        }
        return values.find(key).orElse(replacement);
    }

    private static URI uri(String text) {
        URI url = URI.create(text);
        Checks.that(url.getHost() != null, "URL", text, "a URL with a host");
        return url;
    }

    private static Optional<String> lookupName(PoolDiscovery discovery) {
        return of(DiscoveryConfig.Names.class, names -> Optional.of(names.name()))
                .apply(discovery)
                .or(() -> of(DiscoveryConfig.Srv.class, srv -> Optional.of(srv.name()))
                        .apply(discovery));
    }

    private static Optional<String> service(PoolDiscovery discovery) {
        return switch (Kind.valueOf(EnumWords.upper(discovery.source().type()))) {
            case CONSUL, KUBERNETES, DOCKER -> Optional.of(discovery.source().subject());
            default -> Optional.empty();
        };
    }

    private static Optional<String> port(PoolDiscovery discovery) {
        return of(DiscoveryConfig.Names.class, names -> Optional.of(Integer.toString(names.port())))
                .apply(discovery)
                .or(() -> of(DiscoveryConfig.Kubernetes.class, DiscoveryConfig.Kubernetes::port)
                        .apply(discovery))
                .or(() -> of(
                                DiscoveryConfig.Docker.class,
                                docker -> docker.port().map(port -> Integer.toString(port)))
                        .apply(discovery));
    }

    private static <S, T> Function<PoolDiscovery, Optional<T>> of(Class<S> kind, Function<S, Optional<T>> getter) {
        return discovery ->
                kind.isInstance(discovery.source()) ? getter.apply(kind.cast(discovery.source())) : Optional.empty();
    }

    private static <T> Key<T> scoped(Set<Kind> kinds, Key<T> key) {
        SCOPES.put(key, kinds);
        return key;
    }

    private static String words(Set<Kind> kinds) {
        return kinds.stream().map(kind -> kind.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", "));
    }
}
