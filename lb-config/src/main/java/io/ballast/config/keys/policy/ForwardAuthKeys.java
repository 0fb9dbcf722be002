package io.ballast.config.keys.policy;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HeaderNames;
import io.ballast.core.Checks;
import io.ballast.policy.config.ForwardAuthConfig;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The keys of {@code policies.NAME.forward_auth}. */
final class ForwardAuthKeys {

    private static final ShapeBuilder<ForwardAuthConfig> KEYS = Shape.named(
            "forward_auth",
            "Asks an authentication server about each request, with a GET and X-Forwarded headers that describe the"
                    + " request. A 2xx answer lets the request pass; another answer is sent to the client; without an"
                    + " answer the client gets 503.");

    private static final Type<String> NAME = Scalars.TEXT.map(HeaderNames::changeable, name -> name);
    private static final Type<String> PASSED_NAME = Scalars.TEXT.map(ForwardAuthKeys::passable, name -> name);

    private static final Key<URI> ADDRESS = KEYS.required(
            "address",
            Scalars.matching("URL", "a URL such as http://127.0.0.1:4180/oauth2/auth", "https?://[!-~]+")
                    .map(URI::create, URI::toString),
            "URL of the authentication server",
            ForwardAuthConfig::address);
    private static final Key<List<String>> COPY_HEADERS = KEYS.optional(
            "copy_headers",
            names(NAME),
            List.of(),
            "headers of a 2xx answer that the backend receives; they are removed from the client's request in any"
                    + " spelling, even if the answer does not contain them",
            ForwardAuthConfig::copyHeaders);
    private static final Key<List<String>> REQUEST_HEADERS = KEYS.optional(
            "request_headers",
            names(PASSED_NAME),
            ForwardAuthConfig.DEFAULT_REQUEST_HEADERS,
            "headers of the client's request that the server receives; default: Accept, Authorization, Cookie,"
                    + " User-Agent and X-Requested-With",
            ForwardAuthConfig::requestHeaders);
    private static final Key<String> IDENTITY_HEADER = KEYS.optional(
            "identity_header",
            NAME,
            "header of a 2xx answer with the name of the user, for logs and for limits by identity; default: none",
            ForwardAuthConfig::identityHeader);
    private static final Key<Duration> TIMEOUT = KEYS.optional(
            "timeout",
            Durations.DURATION,
            ForwardAuthConfig.DEFAULT_TIMEOUT,
            "maximum time until the answer is complete, at most 1m",
            ForwardAuthConfig::timeout);
    private static final Key<Integer> IN_FLIGHT = KEYS.optional(
            "in_flight",
            Scalars.integer(1, ForwardAuthConfig.MAX_IN_FLIGHT),
            ForwardAuthConfig.DEFAULT_IN_FLIGHT,
            "maximum number of requests to the server at the same time; above it, clients get 503",
            ForwardAuthConfig::maxInFlight);

    static final Type<ForwardAuthConfig> FORWARD_AUTH = KEYS.build(ForwardAuthKeys::build);

    private ForwardAuthKeys() {}

    private static Type<List<String>> names(Type<String> name) {
        return ListType.of(name).unique("header", text -> text.toLowerCase(Locale.ROOT));
    }

    private static String passable(String name) {
        HeaderNames.changeable(name);
        String lower = name.toLowerCase(Locale.ROOT).replace('_', '-');
        Checks.that(
                !lower.startsWith("x-forwarded-"),
                "header",
                name,
                "another header; Ballast makes the X-Forwarded headers itself");
        Checks.that(!lower.startsWith("content-"), "header", name, "another header; the server gets no body");
        return name;
    }

    private static ForwardAuthConfig build(Values values) {
        return new ForwardAuthConfig(
                values.get(ADDRESS),
                values.get(COPY_HEADERS),
                values.get(REQUEST_HEADERS),
                values.find(IDENTITY_HEADER),
                values.get(TIMEOUT),
                values.get(IN_FLIGHT));
    }
}
