package io.ballast.config.keys.http;

import io.ballast.config.key.Key;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.config.ValueMatch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The keys of {@code listeners[].routes[].match}. */
final class MatchKeys {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}";
    private static final Type<Map<String, ValueMatch>> TOKENS =
            new NamedType<>(ValueMatchKeys.VALUE, TOKEN, "a name such as X-Version");

    /** An ALPN protocol name. */
    static final Type<String> PROTOCOL =
            Scalars.matching("protocol", "1 to 255 printable characters without spaces", "[!-~]{1,255}");

    private static final ShapeBuilder<RouteMatch> KEYS =
            Shape.named("match", "Conditions for a route; all given ones must match.");

    private static final Key<List<String>> HOST = KEYS.optional(
            "host",
            OneOrMore.of(HttpTexts.HOST_PATTERN, "host"),
            "an exact host, *.suffix, or a list of them; any host by default",
            match -> nonEmpty(match.hosts()));
    private static final Key<String> PATH = KEYS.optional(
            "path",
            HttpTexts.PREFIX,
            "path prefix that matches whole segments; any path by default",
            match -> match.path() instanceof PathMatch.Prefix && !match.path().equals(PathMatch.ANY)
                    ? Optional.of(match.path().text())
                    : Optional.empty());
    private static final Key<String> PATH_EXACT = KEYS.optional(
            "path_exact",
            HttpTexts.PREFIX,
            "exact path",
            match -> match.path() instanceof PathMatch.Exact exact ? Optional.of(exact.text()) : Optional.empty());
    private static final Key<String> PATH_REGEX = KEYS.optional(
            "path_regex",
            HttpTexts.REGEX,
            "regular expression in RE2 syntax that must match the whole path",
            match -> match.path() instanceof PathMatch.Regex regex ? Optional.of(regex.text()) : Optional.empty());
    private static final Key<List<String>> METHOD = KEYS.optional(
            "method",
            OneOrMore.of(HttpTexts.METHOD, "method"),
            "a method, or a list of them; any method by default",
            match -> nonEmpty(match.methods()));
    private static final Key<Map<String, ValueMatch>> HEADERS = KEYS.optional(
            "headers",
            TOKENS.map(MatchKeys::inLowerCase, names -> names),
            "conditions for headers, by name",
            match -> nonEmpty(match.headers()));
    private static final Key<Map<String, ValueMatch>> QUERY = KEYS.optional(
            "query",
            new NamedType<>(ValueMatchKeys.VALUE, "[!-~]{1,128}", "1 to 128 printable characters without spaces"),
            "conditions for decoded query parameters, by name",
            match -> nonEmpty(match.query()));
    private static final Key<Map<String, ValueMatch>> COOKIES =
            KEYS.optional("cookies", TOKENS, "conditions for cookies, by name", match -> nonEmpty(match.cookies()));
    private static final Key<List<Cidr>> CLIENT = KEYS.optional(
            "client",
            OneOrMore.of(Networks.NETWORK, "network"),
            "a client network, or a list of them; any client by default",
            match -> nonEmpty(match.clients()));

    private static final Key<List<String>> SNI = KEYS.optional(
            "sni",
            OneOrMore.of(HttpTexts.HOST_PATTERN, "name"),
            "server name (SNI) of a TLS client: an exact name, *.suffix, or a list of them; only with protocol tcp",
            match -> nonEmpty(match.serverNames()));
    private static final Key<List<String>> ALPN = KEYS.optional(
            "alpn",
            OneOrMore.of(PROTOCOL, "protocol"),
            "a protocol that a TLS client offers (ALPN), such as h2, or a list of them; with tls on the"
                    + " listener, the negotiated protocol; only with protocol tcp",
            match -> nonEmpty(match.alpn()));

    /** The keys that have no meaning with protocols other than HTTP. */
    static final List<Key<?>> HTTP_ONLY = List.of(HOST, PATH, PATH_EXACT, PATH_REGEX, METHOD, HEADERS, QUERY, COOKIES);

    /** The keys that have no meaning with protocols other than TCP. */
    static final List<Key<?>> TCP_ONLY = List.of(SNI, ALPN);

    static {
        KEYS.atMostOne(PATH, PATH_EXACT, PATH_REGEX);
    }

    static final Type<RouteMatch> MATCH = KEYS.build(MatchKeys::build);

    private MatchKeys() {}

    private static RouteMatch build(Values values) {
        return new RouteMatch(
                values.find(HOST).orElse(List.of()),
                path(values),
                values.find(METHOD).orElse(List.of()),
                values.find(HEADERS).orElse(Map.of()),
                values.find(QUERY).orElse(Map.of()),
                values.find(COOKIES).orElse(Map.of()),
                values.find(CLIENT).orElse(List.of()),
                values.find(SNI).orElse(List.of()),
                values.find(ALPN).orElse(List.of()));
    }

    private static PathMatch path(Values values) {
        Optional<PathMatch> exact = values.find(PATH_EXACT).map(PathMatch.Exact::new);
        Optional<PathMatch> regex = values.find(PATH_REGEX).map(PathMatch.Regex::new);
        Optional<PathMatch> prefix = values.find(PATH).map(PathMatch.Prefix::new);
        return exact.or(() -> regex).or(() -> prefix).orElse(PathMatch.ANY);
    }

    private static Map<String, ValueMatch> inLowerCase(Map<String, ValueMatch> values) {
        Map<String, ValueMatch> lower = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            ValueMatch other = lower.put(name.toLowerCase(Locale.ROOT), value);
            Checks.that(other == null, "headers", name, name + " only once; header names are case-insensitive");
        });
        return lower;
    }

    private static <T> Optional<List<T>> nonEmpty(List<T> values) {
        return Optional.of(values).filter(list -> !list.isEmpty());
    }

    private static <T> Optional<Map<String, T>> nonEmpty(Map<String, T> values) {
        return Optional.of(values).filter(map -> !map.isEmpty());
    }
}
