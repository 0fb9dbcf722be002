package io.ballast.policy.oidc.provider;

import io.ballast.policy.config.oidc.OidcClient;
import io.ballast.policy.jwt.token.StrictJson;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a discovery document that Ballast uses (OpenID Connect Discovery 1.0 section 3). Immutable.
 *
 * @param userInfo the endpoint with further claims; empty if the provider has none
 * @param endSession the page that ends the session at the provider; empty if there is none
 * @param revocation the endpoint that revokes refresh tokens (RFC 7009); empty if there is none
 * @param sendsIssuer whether authorization responses contain the issuer (RFC 9207)
 * @param secretInBody whether the client's secret is sent in the body of token requests, not in a header
 */
public record ProviderMetadata(
        URI authorization,
        URI token,
        URI keys,
        Optional<URI> userInfo,
        Optional<URI> endSession,
        Optional<URI> revocation,
        boolean sendsIssuer,
        boolean secretInBody) {

    private static final String BASIC = "client_secret_basic";
    private static final String POST = "client_secret_post";

    /**
     * Reads a discovery document.
     *
     * @throws IllegalArgumentException if it is not a document of the client's issuer, or an endpoint is missing or not
     *     protected by TLS
     */
    static ProviderMetadata parse(byte[] text, OidcClient client) {
        Map<String, Object> document;
        try {
            document = StrictJson.object(text);
        } catch (IOException e) {
            throw new IllegalArgumentException("the discovery document is not a JSON object", e);
        }
        if (!client.issuer().equals(document.get("issuer"))) {
            throw new IllegalArgumentException("the discovery document names the issuer "
                    + shown(document.get("issuer")) + " (expected: " + client.issuer() + ")");
        }
        return new ProviderMetadata(
                required(document, "authorization_endpoint", client),
                required(document, "token_endpoint", client),
                required(document, "jwks_uri", client),
                optional(document, "userinfo_endpoint", client),
                optional(document, "end_session_endpoint", client),
                optional(document, "revocation_endpoint", client),
                Boolean.TRUE.equals(document.get("authorization_response_iss_parameter_supported")),
                client.secret().isPresent() && secretInBody(document));
    }

    private static String shown(@Nullable Object issuer) {
        return issuer instanceof String text && text.matches("[!-~]{1,200}") ? text : "with invalid characters";
    }

    private static boolean secretInBody(Map<String, Object> document) {
        if (!(document.get("token_endpoint_auth_methods_supported") instanceof List<?> methods)
                || methods.contains(BASIC)) {
            return false;
        }
        if (!methods.contains(POST)) {
            throw new IllegalArgumentException(
                    "the provider does not accept client secrets (expected: " + BASIC + " or " + POST + ")");
        }
        return true;
    }

    private static URI required(Map<String, Object> document, String name, OidcClient client) {
        return optional(document, name, client)
                .orElseThrow(() -> new IllegalArgumentException("the discovery document has no " + name));
    }

    private static Optional<URI> optional(Map<String, Object> document, String name, OidcClient client) {
        if (!(document.get(name) instanceof String text)) {
            return Optional.empty();
        }
        if (!text.matches("[!-~]{1,1024}")) {
            throw new IllegalArgumentException("the discovery document has no valid " + name);
        }
        URI url = URI.create(text);
        if (!client.permits(url)) {
            throw new IllegalArgumentException("the " + name + " of the discovery document is not an https URL");
        }
        return Optional.of(url);
    }
}
