package io.ballast.policy.oidc.login;

import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.oidc.provider.ProviderMetadata;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

/** Composes authorization requests (OpenID Connect Core 1.0 section 3.1.2.1, RFC 7636 section 4.3). Immutable. */
final class AuthorizationUrl {

    private final String fixed;

    AuthorizationUrl(OidcConfig config) {
        Set<String> scopes = new LinkedHashSet<>();
        scopes.add("openid");
        scopes.addAll(config.client().scopes());
        this.fixed = "response_type=code&client_id=" + encode(config.client().clientId()) + "&scope="
                + encode(String.join(" ", scopes)) + "&code_challenge_method=S256";
    }

    /** Returns the URL of a login in printable ASCII. */
    String of(ProviderMetadata provider, LoginState login, String redirectUri) {
        return withQuery(
                provider.authorization().toString(),
                fixed + "&redirect_uri=" + encode(redirectUri) + "&state=" + login.state() + "&nonce=" + login.nonce()
                        + "&code_challenge=" + login.challenge());
    }

    /** Appends parameters to a URL, which may already have parameters. */
    static String withQuery(String url, String parameters) {
        return url + (url.indexOf('?') < 0 ? '?' : '&') + parameters;
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
