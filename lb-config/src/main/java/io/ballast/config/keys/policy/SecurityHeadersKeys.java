package io.ballast.config.keys.policy;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.policy.config.SecurityHeadersConfig;
import java.util.Optional;
import java.util.function.Function;

/** The keys of {@code policies.NAME.security_headers}. */
final class SecurityHeadersKeys {

    private static final String OFF = "off";
    private static final Type<Optional<String>> VALUE = HttpTexts.HEADER_VALUE.map(
            text -> Optional.of(text).filter(value -> !value.equals(OFF)), value -> value.orElse(OFF));

    private static final ShapeBuilder<SecurityHeadersConfig> KEYS = Shape.named(
            "security_headers",
            "Adds security headers for browsers to all responses, including errors. With the value off, a header of the"
                    + " backend is unchanged.");

    private static final Key<Optional<String>> STRICT_TRANSPORT_SECURITY = header(
            "strict_transport_security",
            "Strict-Transport-Security, only sent over TLS: for how long browsers use HTTPS only",
            SecurityHeadersConfig::strictTransportSecurity);
    private static final Key<Optional<String>> CONTENT_TYPE_OPTIONS = header(
            "content_type_options",
            "X-Content-Type-Options: whether browsers may guess media types",
            SecurityHeadersConfig::contentTypeOptions);
    private static final Key<Optional<String>> FRAME_OPTIONS = header(
            "frame_options",
            "X-Frame-Options: which pages may show a page in a frame; browsers ignore it if a"
                    + " Content-Security-Policy has frame-ancestors",
            SecurityHeadersConfig::frameOptions);
    private static final Key<Optional<String>> REFERRER_POLICY = header(
            "referrer_policy",
            "Referrer-Policy: how much of a page's URL other sites receive",
            SecurityHeadersConfig::referrerPolicy);
    private static final Key<Optional<String>> PERMISSIONS_POLICY = header(
            "permissions_policy",
            "Permissions-Policy: which features of the browser a page may use",
            SecurityHeadersConfig::permissionsPolicy);
    private static final Key<Optional<String>> CONTENT_SECURITY_POLICY = header(
            "content_security_policy",
            "Content-Security-Policy: from where a page may load scripts and other content",
            SecurityHeadersConfig::contentSecurityPolicy);
    private static final Key<Boolean> OVERRIDE = KEYS.optional(
            "override",
            Scalars.BOOLEAN,
            SecurityHeadersConfig.PRESET.override(),
            "true: the headers replace those of the backend; false: they are added if the backend sends none",
            SecurityHeadersConfig::override);

    static final Type<SecurityHeadersConfig> SECURITY_HEADERS = KEYS.build(SecurityHeadersKeys::build);

    private SecurityHeadersKeys() {}

    private static Key<Optional<String>> header(
            String name, String about, Function<SecurityHeadersConfig, Optional<String>> value) {
        return KEYS.optional(name, VALUE, value.apply(SecurityHeadersConfig.PRESET), about, value);
    }

    private static SecurityHeadersConfig build(Values values) {
        return new SecurityHeadersConfig(
                values.get(STRICT_TRANSPORT_SECURITY),
                values.get(CONTENT_TYPE_OPTIONS),
                values.get(FRAME_OPTIONS),
                values.get(REFERRER_POLICY),
                values.get(PERMISSIONS_POLICY),
                values.get(CONTENT_SECURITY_POLICY),
                values.get(OVERRIDE));
    }
}
