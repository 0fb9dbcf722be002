package io.ballast.policy.config.oidc;

import io.ballast.core.Checks;
import io.ballast.net.fetch.CaFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The registration of Ballast at an OpenID provider.
 *
 * @param issuer the identifier of the provider, exactly as in its discovery document. An {@code https} URL without
 *     query and fragment; {@code http} if its host is a loopback address or with {@code allowHttp}
 * @param allowHttp whether the provider may use {@code http}, which lets an attacker on the network impersonate it
 * @param clientId the identifier of the client
 * @param secret the secret of the client; empty for a public client
 * @param secretFile the file that contains the secret; empty if the configuration contains it
 * @param scopes the requested scopes; {@code openid} is always requested
 * @param ca the authorities that verify the provider; empty for the authorities that the Java runtime trusts
 */
public record OidcClient(
        String issuer,
        boolean allowHttp,
        String clientId,
        Optional<OidcSecret> secret,
        Optional<Path> secretFile,
        List<String> scopes,
        Optional<CaFile> ca) {

    public static final List<String> DEFAULT_SCOPES = List.of("openid", "profile", "email");

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]");

    public OidcClient {
        scopes = List.copyOf(scopes);
        URI url = URI.create(issuer);
        Checks.that(
                isPermitted(url, allowHttp) && url.getQuery() == null,
                "issuer",
                issuer,
                "an https URL without user, query and fragment; http only with a loopback address or allow_http");
    }

    /** A client whose provider is verified by the authorities that the Java runtime trusts. */
    public OidcClient(
            String issuer,
            boolean allowHttp,
            String clientId,
            Optional<OidcSecret> secret,
            Optional<Path> secretFile,
            List<String> scopes) {
        this(issuer, allowHttp, clientId, secret, secretFile, scopes, /* ca= */ Optional.empty());
    }

    /** Whether a URL of the provider may be used: it uses HTTPS, or HTTP is allowed. */
    public boolean permits(URI url) {
        return isPermitted(url, allowHttp);
    }

    private static boolean isPermitted(URI url, boolean allowHttp) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        String host = url.getHost() == null ? "" : url.getHost().toLowerCase(Locale.ROOT);
        boolean isProtected = scheme.equals("https")
                || (scheme.equals("http")
                        && (allowHttp || LOOPBACK.matcher(host).matches()));
        return isProtected && !host.isEmpty() && url.getUserInfo() == null && url.getFragment() == null;
    }
}
