package io.ballast.config.keys.common;

import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.http.route.destination.LocationTemplate;
import io.ballast.http.route.regex.RoutePattern;
import io.ballast.http.route.request.PathNormalizer;
import java.util.Locale;
import java.util.function.Consumer;

/** Texts that are written into HTTP messages. They cannot contain line ends, so they cannot add a header. */
public final class HttpTexts {

    private static final String LABEL = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})";

    /** A request target in origin form. */
    public static final Type<String> TARGET =
            Scalars.matching("path", "a path that starts with / and has no spaces", "/[!-\"$-~]*");

    /** A path for routing, which must be in normal form. */
    public static final Type<String> PREFIX = checked(
            Scalars.matching("path", "a path that starts with / and has no query", "/[!-\"$->@-~]*"),
            PathNormalizer::normalForm);

    /** A regular expression that is cheap enough to be evaluated on an event loop. */
    public static final Type<String> REGEX = checked(
            Scalars.matching("regular expression", "a regular expression in printable ASCII", "[ -~]+"),
            RoutePattern::compile);

    /** The target of a redirect. */
    public static final Type<String> LOCATION = checked(
            Scalars.matching("URL with variables", "a URL or path such as https://$host$uri", "[!-~]+"),
            LocationTemplate::of);

    /** An exact host or {@code *.suffix}, without a port. */
    public static final Type<String> HOST_PATTERN = Scalars.matching(
                    "host pattern",
                    "a host such as api.example.com or *.example.com, without a port",
                    "(\\*\\.)?" + LABEL + "(\\." + LABEL + ")*|\\[[0-9A-Fa-f:.]+]")
            .map(host -> host.toLowerCase(Locale.ROOT), host -> host);

    /** The value of a {@code Host} header. */
    public static final Type<String> HOST = Scalars.matching(
            "host",
            "a host, with an optional port",
            "(" + LABEL + "(\\." + LABEL + ")*|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?");

    /** A request method. */
    public static final Type<String> METHOD = Scalars.matching("method", "a method such as GET", "[A-Z]{1,20}");

    /** A header's value in printable ASCII. */
    public static final Type<String> HEADER_VALUE =
            Scalars.matching("header value", "printable ASCII without spaces around it", "[!-~]([ -~]*[!-~])?");

    /** The name of a header or a cookie. */
    public static final Type<String> TOKEN = Scalars.matching(
            "name", "1 to 128 letters, digits and !#$%&'*+.^_`|~-", "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");

    private HttpTexts() {}

    /** Returns a type that also rejects texts for which {@code compile} throws an exception. */
    private static Type<String> checked(Type<String> type, Consumer<String> compile) {
        return type.map(
                text -> {
                    compile.accept(text);
                    return text;
                },
                text -> text);
    }
}
