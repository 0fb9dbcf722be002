package io.ballast.config.keys.policy;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.core.Checks;
import io.ballast.policy.config.CorsConfig;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The keys of {@code policies.NAME.cors}. */
final class CorsKeys {

    private static final Pattern DEFAULT_PORT = Pattern.compile("http:.*:80|https:.*:443");

    private static final Type<String> ORIGIN = Scalars.matching(
                    "origin",
                    "an origin such as https://app.example or https://*.example, or *",
                    "\\*|[A-Za-z][A-Za-z0-9+.-]*://((\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*|\\[[0-9A-Fa-f:.]+])"
                            + "(:[1-9][0-9]{0,4})?")
            .map(CorsKeys::withoutDefaultPort, origin -> origin);
    private static final Type<String> METHOD =
            Scalars.matching("method", "a method such as GET, or *", "[A-Z]{1,20}|\\*");

    private static final ShapeBuilder<CorsConfig> KEYS = Shape.named(
            "cors",
            "Lets pages of other origins use responses, and answers preflight requests with 204 before"
                    + " authentication. The backend's own Access-Control headers are removed.");

    private static final Key<List<String>> ORIGINS = KEYS.required(
            "origins",
            ListType.atLeastOne(ORIGIN).unique("origin", origin -> origin),
            "origins whose pages may use responses: https://app.example, https://*.example for all its"
                    + " sub-domains, or * for all",
            CorsConfig::origins);
    private static final Key<List<String>> METHODS = KEYS.optional(
            "methods",
            ListType.atLeastOne(METHOD).unique("method", method -> method),
            CorsConfig.DEFAULT_METHODS,
            "methods that pages may use; * for all; default: GET, HEAD and POST",
            CorsConfig::methods);
    private static final Key<List<String>> HEADERS = KEYS.optional(
            "headers",
            names(),
            List.of(),
            "request headers that pages may set, in addition to the safe ones; * for all except Authorization",
            CorsConfig::headers);
    private static final Key<List<String>> EXPOSE_HEADERS = KEYS.optional(
            "expose_headers",
            names(),
            List.of(),
            "response headers that pages may read, in addition to the safe ones; * for all",
            CorsConfig::exposeHeaders);
    private static final Key<Boolean> CREDENTIALS = KEYS.optional(
            "credentials",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "true: pages may send cookies and other credentials; not together with *",
            CorsConfig::credentials);
    private static final Key<Duration> MAX_AGE = KEYS.optional(
            "max_age",
            Durations.SECONDS,
            "how long browsers may cache the answer to a preflight request, at most 1d; default: 5s, by the Fetch"
                    + " standard",
            CorsConfig::maxAge);

    static final Type<CorsConfig> CORS = KEYS.build(CorsKeys::build);

    private CorsKeys() {}

    private static Type<List<String>> names() {
        return ListType.of(HttpTexts.TOKEN).unique("header", name -> name.toLowerCase(Locale.ROOT));
    }

    private static String withoutDefaultPort(String text) {
        String origin = text.toLowerCase(Locale.ROOT);
        Checks.that(
                !DEFAULT_PORT.matcher(origin).matches(),
                "origin",
                text,
                "no default port, because browsers do not send it");
        return origin;
    }

    private static CorsConfig build(Values values) {
        return new CorsConfig(
                values.get(ORIGINS),
                values.get(METHODS),
                values.get(HEADERS),
                values.get(EXPOSE_HEADERS),
                values.get(CREDENTIALS),
                values.find(MAX_AGE));
    }
}
