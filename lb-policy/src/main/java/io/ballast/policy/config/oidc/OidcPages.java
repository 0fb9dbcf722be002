package io.ballast.policy.config.oidc;

import io.ballast.core.Checks;
import java.net.URI;
import java.util.Optional;

/**
 * The addresses of the pages that the policy itself serves.
 *
 * @param callback the path, or the whole URL, to which the provider sends users back
 * @param logout the path that ends a session
 * @param afterLogout the URL to which the provider sends users after they have logged out; empty for none
 */
public record OidcPages(String callback, String logout, Optional<String> afterLogout) {

    /** A path of a page: printable ASCII without query and fragment. */
    public static final String PATH = "/(?!/)[!-~&&[^?#\\\\]]{0,255}";

    public static final OidcPages DEFAULT = new OidcPages("/oauth2/callback", "/oauth2/logout", Optional.empty());

    private static final String URL = "https?://[^/?#@\\\\]{1,255}" + PATH;

    public OidcPages {
        Checks.that(
                callback.matches(PATH) || callback.matches(URL),
                "callback",
                callback,
                "a path such as /oauth2/callback, or a URL such as https://shop.example/oauth2/callback");
        Checks.that(logout.matches(PATH), "logout", logout, "a path such as /oauth2/logout");
        Checks.that(!logout.equals(path(callback)), "logout", logout, "another path than callback");
    }

    /** The path of {@link #callback}. */
    public String callbackPath() {
        return path(callback);
    }

    /** The scheme and authority of {@link #callback}, such as {@code https://shop.example}; empty if it is a path. */
    public String origin() {
        return callback.substring(0, callback.length() - callbackPath().length());
    }

    private static String path(String callback) {
        return callback.startsWith("/") ? callback : URI.create(callback).getRawPath();
    }
}
