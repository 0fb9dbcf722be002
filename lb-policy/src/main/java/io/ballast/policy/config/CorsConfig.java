package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The pages of other origins that may use responses (CORS protocol of the <a
 * href="https://fetch.spec.whatwg.org/#http-cors-protocol">Fetch standard</a>).
 *
 * @param origins the origins in lower case, such as {@code https://app.example}; {@code https://*.example} for all
 *     sub-domains, {@code *} for all origins
 * @param methods the permitted methods; {@code *} for all
 * @param headers the permitted request headers; {@code *} for all except {@code Authorization}
 * @param exposeHeaders the response headers that pages may read; {@code *} for all
 * @param credentials whether requests may have cookies
 * @param maxAge how long browsers may cache the answer to a preflight request; empty for the browser's default
 */
public record CorsConfig(
        List<String> origins,
        List<String> methods,
        List<String> headers,
        List<String> exposeHeaders,
        boolean credentials,
        Optional<Duration> maxAge)
        implements PolicyRule {

    /** Stands for all origins, methods or headers. */
    public static final String ANY = "*";

    public static final List<String> DEFAULT_METHODS = List.of("GET", "HEAD", "POST");
    private static final int MAX_ORIGINS = 100;

    public CorsConfig {
        origins = List.copyOf(origins);
        methods = List.copyOf(methods);
        headers = List.copyOf(headers);
        exposeHeaders = List.copyOf(exposeHeaders);
        Checks.between(origins.size(), 1, MAX_ORIGINS, "origins");
        boolean hasAny = Stream.of(origins, methods, headers, exposeHeaders).anyMatch(list -> list.contains(ANY));
        Checks.that(
                !(credentials && hasAny),
                "credentials",
                credentials,
                "false, or no * in origins, methods, headers and expose_headers");
        Duration age = maxAge.orElse(Duration.ZERO);
        Checks.that(age.compareTo(Duration.ofDays(1)) <= 0, "max_age", age, "<= 1d");
    }

    /** Returns a configuration that permits simple requests and the default methods for the given origins. */
    public static CorsConfig of(List<String> origins) {
        return new CorsConfig(
                origins, DEFAULT_METHODS, List.of(), List.of(), /* credentials= */ false, Optional.empty());
    }

    @Override
    public String kind() {
        return "cors";
    }
}
