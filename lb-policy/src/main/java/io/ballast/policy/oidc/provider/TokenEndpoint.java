package io.ballast.policy.oidc.provider;

import io.ballast.policy.config.oidc.OidcClient;
import io.ballast.policy.config.oidc.OidcSecret;
import io.ballast.policy.jwt.token.StrictJson;
import io.ballast.policy.oidc.provider.ProviderClient.ProviderAnswer;
import io.ballast.policy.oidc.provider.ProviderException.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Requests tokens and claims from a provider (RFC 6749 sections 4.1.3 and 6). Immutable. */
final class TokenEndpoint {

    private final OidcClient client;
    private final ProviderClient http;

    TokenEndpoint(OidcClient client, ProviderClient http) {
        this.client = client;
        this.http = http;
    }

    /** Exchanges a code for tokens. */
    CompletableFuture<TokenSet> exchange(ProviderMetadata provider, CodeGrant grant) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", grant.code());
        form.put("redirect_uri", grant.redirectUri());
        form.put("code_verifier", grant.verifier());
        return send(provider.token(), provider, form).thenApply(TokenEndpoint::tokens);
    }

    /** Exchanges a refresh token for newer tokens. */
    CompletableFuture<TokenSet> refresh(ProviderMetadata provider, String refreshToken) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "refresh_token");
        form.put("refresh_token", refreshToken);
        return send(provider.token(), provider, form).thenApply(TokenEndpoint::tokens);
    }

    /** Revokes a refresh token (RFC 7009 section 2.1). Providers that do not know the token report success too. */
    CompletableFuture<Void> revoke(URI url, ProviderMetadata provider, String refreshToken) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("token", refreshToken);
        form.put("token_type_hint", "refresh_token");
        return send(url, provider, form).thenAccept(TokenEndpoint::checkRevoked);
    }

    private static void checkRevoked(ProviderAnswer answer) {
        if (!answer.isOk()) {
            throw new ProviderException(Kind.ANSWER, "the revocation endpoint answered with status " + answer.status());
        }
    }

    private CompletableFuture<ProviderAnswer> send(URI url, ProviderMetadata provider, Map<String, String> form) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .setHeader("Accept", "application/json")
                .setHeader("Content-Type", "application/x-www-form-urlencoded");
        String secret = client.secret().map(OidcSecret::text).orElse("");
        if (secret.isEmpty() || provider.secretInBody()) {
            form.put("client_id", client.clientId());
        }
        if (!secret.isEmpty()) {
            if (provider.secretInBody()) {
                form.put("client_secret", secret);
            } else {
                request.setHeader("Authorization", basic(client.clientId(), secret));
            }
        }
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&"));
        return http.send(request.POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /**
     * Returns the value of {@code Authorization}. The id and the secret are form-encoded before they are joined (RFC
     * 6749 section 2.3.1).
     */
    private static String basic(String id, String secret) {
        String joined = encode(id) + ":" + encode(secret);
        return "Basic " + Base64.getEncoder().encodeToString(joined.getBytes(StandardCharsets.US_ASCII));
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static TokenSet tokens(ProviderAnswer answer) {
        if (!answer.isOk()) {
            String error = error(answer.body());
            throw new ProviderException(
                    error.equals("invalid_grant") ? Kind.GRANT : Kind.ANSWER,
                    "the token endpoint answered with status " + answer.status()
                            + (error.isEmpty() ? "" : " and error " + error));
        }
        return TokenSet.parse(answer.body());
    }

    /** Returns the error code of RFC 6749 section 5.2; empty if the body does not contain one. */
    private static String error(byte[] body) {
        try {
            Object error = StrictJson.object(body).get("error");
            return error instanceof String text && text.matches("[a-zA-Z_]{1,64}") ? text : "";
        } catch (IOException notJson) {
            return "";
        }
    }

    /** Requests the claims of the user who belongs to an access token (OpenID Connect Core 1.0 section 5.3). */
    CompletableFuture<Map<String, Object>> userInfo(URI url, String accessToken) {
        return http.send(HttpRequest.newBuilder(url)
                        .setHeader("Accept", "application/json")
                        .setHeader("Authorization", "Bearer " + accessToken))
                .thenApply(TokenEndpoint::userClaims);
    }

    private static Map<String, Object> userClaims(ProviderAnswer answer) {
        try {
            if (answer.isOk()) {
                return StrictJson.object(answer.body());
            }
        } catch (IOException e) {
            throw new ProviderException(Kind.ANSWER, "the answer of the userinfo endpoint is not a JSON object");
        }
        throw new ProviderException(Kind.ANSWER, "the userinfo endpoint answered with status " + answer.status());
    }
}
