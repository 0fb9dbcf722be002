package io.ballast.policy.config;

import java.util.Optional;

/**
 * The security headers for browsers. A value is empty if the policy does not set the header.
 *
 * @param strictTransportSecurity sent only to clients that use TLS (RFC 6797 section 7.2)
 * @param override whether the headers replace the backend's headers of the same name; otherwise a header is added only
 *     if the backend does not send it
 */
public record SecurityHeadersConfig(
        Optional<String> strictTransportSecurity,
        Optional<String> contentTypeOptions,
        Optional<String> frameOptions,
        Optional<String> referrerPolicy,
        Optional<String> permissionsPolicy,
        Optional<String> contentSecurityPolicy,
        boolean override)
        implements PolicyRule {

    /** The default headers. */
    public static final SecurityHeadersConfig PRESET = new SecurityHeadersConfig(
            Optional.of("max-age=31536000"),
            Optional.of("nosniff"),
            Optional.of("SAMEORIGIN"),
            Optional.of("strict-origin-when-cross-origin"),
            Optional.of("camera=(), geolocation=(), microphone=()"),
            Optional.empty(),
            /* override= */ true);

    @Override
    public String kind() {
        return "security_headers";
    }
}
