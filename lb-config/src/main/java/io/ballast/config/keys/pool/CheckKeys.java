package io.ballast.config.keys.pool;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.core.Checks;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.BodyCheck;
import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthCheck.Header;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.net.IpAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The keys of {@code pools.NAME.health} that describe one check. Most keys apply only to some types of
 * checks.
 */
final class CheckKeys {

    private enum Kind {
        NONE,
        TCP,
        HTTP,
        HTTPS,
        GRPC,
        MYSQL,
        POSTGRES,
        REDIS,
        SMTP,
        DNS,
        EXEC
    }

    private static final Set<Kind> HTTP = EnumSet.of(Kind.HTTP, Kind.HTTPS);
    private static final Set<Kind> WITH_HOST = EnumSet.of(Kind.HTTP, Kind.HTTPS, Kind.GRPC, Kind.SMTP);
    private static final Set<Kind> WITH_TLS =
            EnumSet.of(Kind.HTTP, Kind.HTTPS, Kind.GRPC, Kind.MYSQL, Kind.POSTGRES, Kind.REDIS, Kind.SMTP);
    private static final Set<Kind> BY_CONNECTION = EnumSet.complementOf(EnumSet.of(Kind.NONE, Kind.DNS, Kind.EXEC));
    private static final Set<Kind> WITH_USER = EnumSet.of(Kind.MYSQL, Kind.POSTGRES);

    private static final Type<String> BYTES = Scalars.matchingOrNumber(
            "byte string",
            "1 to " + HealthCheck.Tcp.MAX_TEXT + " characters up to \\xff, one byte each",
            "[\\x00-\\xff]{1," + HealthCheck.Tcp.MAX_TEXT + "}");
    private static final Type<String> BODY_TEXT =
            Scalars.matchingOrNumber("text", "1 to 1024 characters", "[\\s\\S]{1,1024}");

    private static final Type<String> SERVICE = Scalars.matching(
            "gRPC service name",
            "a gRPC service name such as shop.Cart",
            "[!-~]{1," + HealthCheck.Grpc.MAX_SERVICE + "}");
    private static final Type<String> NAME = Scalars.matchingOrNumber(
            "user or database name",
            "1 to " + HealthCheck.Postgres.MAX_NAME + " ASCII characters without spaces",
            "[!-~]{1," + HealthCheck.Postgres.MAX_NAME + "}");
    private static final Type<String> RECORD_TYPE = Scalars.matching(
            "DNS record type",
            "a DNS record type such as A, AAAA, NS, SOA, MX or TXT",
            "A|AAAA|CAA|CNAME|HTTPS|MX|NAPTR|NS|PTR|SOA|SRV|SVCB|TXT");
    private static final Type<String> RCODE = Scalars.matching(
            "DNS response code",
            "NOERROR, NXDOMAIN, SERVFAIL, REFUSED, FORMERR or NOTIMP, or an address",
            "NOERROR|NXDOMAIN|SERVFAIL|REFUSED|FORMERR|NOTIMP");
    private static final Type<List<String>> COMMAND = ListType.atLeastOne(Scalars.matchingOrNumber(
            "argument", "a program or an argument, without NUL characters", "[^\\x00]{0,4096}"));

    private final Map<Key<?>, Set<Kind>> scopes = new LinkedHashMap<>();
    private final Key<Kind> type;
    private final Key<String> method;
    private final Key<String> path;
    private final Key<String> host;
    private final Key<List<Header>> headers;
    private final Key<ExpectedTexts> expect;
    private final Key<String> bodyContains;
    private final Key<String> bodyMatches;
    private final Key<Optional<BackendTls>> tls;
    private final Key<SentProxyHeader> proxyHeader;
    private final Key<String> send;
    private final Key<String> service;
    private final Key<String> user;
    private final Key<String> database;
    private final Key<String> query;
    private final Key<String> recordType;
    private final Key<List<String>> command;

    /** Adds the keys of a check to the keys of {@code health}. */
    CheckKeys(ShapeBuilder<HealthConfig> keys) {
        type = keys.optional(
                "type",
                EnumWords.of(Kind.class),
                Kind.TCP,
                "none: always up; tcp: a TCP handshake; http: one request, over TLS if the pool uses"
                        + " it; https: the same, always over TLS; grpc: a call of grpc.health.v1.Health/Check;"
                        + " mysql: a login without a password; postgres: the start of a session; redis:"
                        + " PING; smtp: EHLO; dns: a query; exec: a program, which requires lb run --allow-exec",
                health -> Kind.valueOf(EnumWords.upper(health.check().label())));
        method = scoped(
                HTTP,
                keys.optional(
                        "method",
                        HttpTexts.METHOD,
                        "method of the request; GET by default; only with type http or https",
                        http(check -> Optional.of(check.method()))));
        path = scoped(
                HTTP,
                keys.optional(
                        "path",
                        HttpTexts.TARGET,
                        "target of the request; / by default; only with type http or https",
                        http(check -> Optional.of(check.path()))));
        host = scoped(
                WITH_HOST,
                keys.optional(
                        "host",
                        HttpTexts.HOST,
                        "Host header of the request, the backend's address by default; with smtp the name sent with"
                                + " EHLO, localhost by default; only with type http, https, grpc or smtp",
                        CheckKeys::hostOf));
        headers = scoped(
                HTTP,
                keys.optional(
                        "headers",
                        CheckHeadersType.HEADERS,
                        "additional headers of the request; only with type http or https",
                        http(check -> Optional.of(check.headers()).filter(list -> !list.isEmpty()))));
        expect = scoped(
                EnumSet.of(Kind.TCP, Kind.HTTP, Kind.HTTPS, Kind.DNS),
                keys.optional(
                        "expect",
                        ExpectedTexts.TYPE,
                        "with type http or https the accepted statuses, 200-399 by default; with tcp a"
                                + " text that must be in the first 16 KiB of the answer, none by default; with dns"
                                + " the accepted response codes, NOERROR by default, and addresses; one of them must"
                                + " be in the answer",
                        CheckKeys::expected));
        bodyContains = scoped(
                HTTP,
                keys.optional(
                        "body_contains",
                        BODY_TEXT,
                        "a text that the first 16 KiB of the body must contain; only with type http or https",
                        http(check -> check.body().contains())));
        bodyMatches = scoped(
                HTTP,
                keys.optional(
                        "body_matches",
                        HttpTexts.REGEX,
                        "a regular expression that must match a part of the first 16 KiB of the body;"
                                + " only with type http or https",
                        http(check -> check.body().matches())));
        tls = scoped(
                WITH_TLS,
                keys.optional(
                        "tls",
                        BackendTlsKeys.TLS,
                        "TLS settings for the checks only, true for the defaults, false for no TLS; by default"
                                + " those of the pool, or no TLS with mysql and postgres, which negotiate TLS inside their"
                                + " protocols; only with type http, https, grpc, mysql, postgres, redis or"
                                + " smtp",
                        CheckKeys::ownTls));
        proxyHeader = scoped(
                BY_CONNECTION,
                keys.optional(
                        "proxy_protocol",
                        EnumWords.of(SentProxyHeader.class),
                        "PROXY header sent at the start of each check, without a client address; by default the"
                                + " version of connections.proxy_protocol, or none if the checks go to another port"
                                + " or address; not with type none, dns or exec",
                        HealthConfig::proxyHeader));
        send = scoped(
                EnumSet.of(Kind.TCP),
                keys.optional(
                        "send",
                        BYTES,
                        "data to send first, each character one byte; only with type tcp",
                        tcp(HealthCheck.Tcp::send)));
        service = scoped(
                EnumSet.of(Kind.GRPC),
                keys.optional(
                        "service",
                        SERVICE,
                        "name of the gRPC service to check; the whole server by default; only with type grpc",
                        health -> health.check() instanceof HealthCheck.Grpc check
                                ? Optional.of(check.service()).filter(name -> !name.isEmpty())
                                : Optional.empty()));
        user = scoped(
                WITH_USER,
                keys.optional(
                        "user",
                        NAME,
                        "the account for the login, ballast by default; with mysql it must exist and have"
                                + " no password; only with type mysql or postgres",
                        CheckKeys::userOf));
        database = scoped(
                EnumSet.of(Kind.POSTGRES),
                keys.optional(
                        "database",
                        NAME,
                        "the database of the session; postgres by default; only with type postgres",
                        health -> health.check() instanceof HealthCheck.Postgres check
                                ? Optional.of(check.database())
                                : Optional.empty()));
        query = scoped(
                EnumSet.of(Kind.DNS),
                keys.optional(
                        "query",
                        DnsTexts.ABSOLUTE,
                        "the name to query; required with type dns, not allowed otherwise",
                        dns(HealthCheck.Dns::name)));
        recordType = scoped(
                EnumSet.of(Kind.DNS),
                keys.optional(
                        "query_type",
                        RECORD_TYPE,
                        "the record type to query; A by default; only with type dns",
                        dns(HealthCheck.Dns::type)));
        command = scoped(
                EnumSet.of(Kind.EXEC),
                keys.optional(
                        "command",
                        COMMAND,
                        "a program and its arguments, run without a shell; required with type exec, not"
                                + " allowed otherwise",
                        health -> health.check() instanceof HealthCheck.Exec check
                                ? Optional.of(check.command())
                                : Optional.empty()));
    }

    /** Returns the health check that the values configure. */
    HealthCheck build(Values values) {
        Kind kind = values.get(type);
        scopes.forEach((key, kinds) -> Checks.that(
                values.isInvalid(type) || kinds.contains(kind) || !values.has(key),
                key.name(),
                "",
                onlyWithTypes(kinds)));
        return switch (kind) {
            case NONE -> new HealthCheck.None();
            case TCP ->
                new HealthCheck.Tcp(
                        values.find(send),
                        values.find(expect).flatMap(texts -> texts.readSingle(BYTES, values.reading())));
            case HTTP, HTTPS -> http(kind, values);
            case GRPC ->
                new HealthCheck.Grpc(
                        values.find(service).orElse(""),
                        values.find(host),
                        tls(values).orElse(CheckTls.OF_POOL));
            case MYSQL ->
                new HealthCheck.Mysql(
                        values.find(user).orElse(HealthCheck.Mysql.DEFAULT_USER),
                        tls(values).orElse(CheckTls.NEVER));
            case POSTGRES ->
                new HealthCheck.Postgres(
                        values.find(user).orElse(HealthCheck.Postgres.DEFAULT_USER),
                        values.find(database).orElse(HealthCheck.Postgres.DEFAULT_DATABASE),
                        tls(values).orElse(CheckTls.NEVER));
            case REDIS -> new HealthCheck.Redis(tls(values).orElse(CheckTls.OF_POOL));
            case SMTP ->
                new HealthCheck.Smtp(
                        values.find(host).orElse(HealthCheck.Smtp.DEFAULT_HOST),
                        tls(values).orElse(CheckTls.OF_POOL));
            case DNS -> dns(values);
            case EXEC ->
                new HealthCheck.Exec(required(command, List.of("reported"), "a program and its arguments", values));
        };
    }

    /** Returns the PROXY header that is sent at the start of check connections, if one is configured. */
    Optional<SentProxyHeader> proxyHeader(Values values) {
        return values.find(proxyHeader);
    }

    private HealthCheck dns(Values values) {
        String name = required(query, "reported", "the name to query", values);
        List<String> rcodes = new ArrayList<>();
        List<IpAddress> addresses = new ArrayList<>();
        values.find(expect)
                .ifPresent(texts -> texts.each((text, node) -> {
                    if (text.matches("[0-9a-fA-F:.]*[0-9:.][0-9a-fA-F:.]*")) {
                        Networks.ADDRESS.read(node, values.reading()).ifPresent(addresses::add);
                    } else {
                        RCODE.read(node, values.reading()).ifPresent(rcodes::add);
                    }
                }));
        if (rcodes.isEmpty()) {
            rcodes.add(HealthCheck.Dns.DEFAULT_RCODE);
        }
        return new HealthCheck.Dns(
                name, values.find(recordType).orElse(HealthCheck.Dns.DEFAULT_TYPE), rcodes, addresses);
    }

    private static <T> T required(Key<T> key, T replacement, String expected, Values values) {
        if (!values.has(key) && !values.isInvalid(key)) {
            values.reading().error(values.mapping(), key.name() + " is missing (expected: " + expected + ")");
        }
        return values.find(key).orElse(replacement);
    }

    private Optional<CheckTls> tls(Values values) {
        return values.find(tls).map(settings -> settings.map(CheckTls::own).orElse(CheckTls.NEVER));
    }

    private HealthCheck http(Kind kind, Values values) {
        String requested = values.find(method).orElse(HealthCheck.Http.DEFAULT_METHOD);
        for (Key<String> body : List.of(bodyContains, bodyMatches)) {
            Checks.that(
                    !requested.equals("HEAD") || !values.has(body),
                    body.name(),
                    "",
                    "not set with method HEAD, whose response has no body");
        }
        CheckTls usual = kind == Kind.HTTPS ? CheckTls.ALWAYS : CheckTls.OF_POOL;
        Optional<Optional<BackendTls>> own = values.find(tls);
        Checks.that(
                kind == Kind.HTTP || own.isEmpty() || own.get().isPresent(),
                tls.name(),
                "",
                "TLS settings; for checks without TLS, use type http");
        return new HealthCheck.Http(
                requested,
                values.find(path).orElse(HealthCheck.Http.DEFAULT_PATH),
                values.find(host),
                values.find(expect)
                        .map(texts -> texts.readAll(StatusRanges.RANGE, values.reading()))
                        .orElse(HealthCheck.Http.DEFAULT_EXPECTED),
                values.find(headers).orElse(List.of()),
                new BodyCheck(values.find(bodyContains), values.find(bodyMatches)),
                tls(values).orElse(usual));
    }

    private <T> Key<T> scoped(Set<Kind> kinds, Key<T> key) {
        scopes.put(key, kinds);
        return key;
    }

    private static String onlyWithTypes(Set<Kind> kinds) {
        return "only with type "
                + Arrays.stream(Kind.values())
                        .filter(kinds::contains)
                        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.collectingAndThen(Collectors.toList(), CheckKeys::alternatives));
    }

    private static String alternatives(List<String> words) {
        int last = words.size() - 1;
        return last == 0 ? words.get(0) : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }

    private static Optional<String> hostOf(HealthConfig health) {
        if (health.check() instanceof HealthCheck.Smtp smtp) {
            return Optional.of(smtp.host());
        }
        return health.check() instanceof HealthCheck.Grpc grpc
                ? grpc.host()
                : http(HealthCheck.Http::host).apply(health);
    }

    private static Optional<String> userOf(HealthConfig health) {
        if (health.check() instanceof HealthCheck.Mysql mysql) {
            return Optional.of(mysql.user());
        }
        return health.check() instanceof HealthCheck.Postgres postgres
                ? Optional.of(postgres.user())
                : Optional.empty();
    }

    private static Optional<ExpectedTexts> expected(HealthConfig health) {
        if (health.check() instanceof HealthCheck.Http http) {
            return Optional.of(ExpectedTexts.of(
                    http.expected().stream().map(StatusRange::toString).toList()));
        }
        if (health.check() instanceof HealthCheck.Dns dns) {
            Stream<String> addresses = dns.addresses().stream().map(IpAddress::toString);
            return Optional.of(ExpectedTexts.of(
                    Stream.concat(dns.rcodes().stream(), addresses).toList()));
        }
        return tcp(HealthCheck.Tcp::expected).apply(health).map(text -> ExpectedTexts.of(List.of(text)));
    }

    private static boolean isWithoutTlsByDefault(HealthCheck check) {
        return !(check instanceof HealthCheck.Http
                || check instanceof HealthCheck.Grpc
                || check instanceof HealthCheck.Redis
                || check instanceof HealthCheck.Smtp);
    }

    private static Optional<Optional<BackendTls>> ownTls(HealthConfig health) {
        CheckTls tls = health.check().tls();
        boolean isDefault = tls.ofPool() || (tls.equals(CheckTls.NEVER) && isWithoutTlsByDefault(health.check()));
        return isDefault ? Optional.empty() : Optional.of(tls.settings());
    }

    private static <T> Function<HealthConfig, Optional<T>> http(Function<HealthCheck.Http, Optional<T>> getter) {
        return health -> health.check() instanceof HealthCheck.Http check ? getter.apply(check) : Optional.empty();
    }

    private static <T> Function<HealthConfig, Optional<T>> dns(Function<HealthCheck.Dns, T> getter) {
        return health ->
                health.check() instanceof HealthCheck.Dns check ? Optional.of(getter.apply(check)) : Optional.empty();
    }

    private static <T> Function<HealthConfig, Optional<T>> tcp(Function<HealthCheck.Tcp, Optional<T>> getter) {
        return health -> health.check() instanceof HealthCheck.Tcp check ? getter.apply(check) : Optional.empty();
    }
}
