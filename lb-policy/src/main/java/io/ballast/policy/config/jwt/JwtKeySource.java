package io.ballast.policy.config.jwt;

import io.ballast.core.Checks;
import io.ballast.net.fetch.CaFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The source of the keys that verify tokens. */
public sealed interface JwtKeySource {

    /**
     * A JWK set (RFC 7517 section 5) that is downloaded.
     *
     * @param url an {@code https} URL, or an {@code http} URL if its host is a loopback address
     * @param allowHttp whether an {@code http} URL may have any host
     * @param ca the authorities that verify the server; empty for the authorities that the Java runtime trusts
     */
    record Remote(URI url, boolean allowHttp, Optional<CaFile> ca) implements JwtKeySource {

        private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]");

        public Remote {
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            String host = url.getHost() == null ? "" : url.getHost().toLowerCase(Locale.ROOT);
            boolean isPermitted = scheme.equals("https")
                    || (scheme.equals("http")
                            && (allowHttp || LOOPBACK.matcher(host).matches()));
            Checks.that(
                    isPermitted && !host.isEmpty() && url.getUserInfo() == null && url.getFragment() == null,
                    "jwks",
                    url,
                    "an https URL without user and fragment; http only with a loopback address or allow_http");
        }

        /** Creates a source whose server is verified by the authorities that the Java runtime trusts. */
        public Remote(URI url, boolean allowHttp) {
            this(url, allowHttp, /* ca= */ Optional.empty());
        }
    }

    /**
     * A JWK set that is part of the configuration.
     *
     * @param text the JWK set in JSON
     * @param file the file that contains it; empty if the configuration contains it
     */
    record Fixed(String text, Optional<Path> file) implements JwtKeySource {}

    /**
     * A shared secret.
     *
     * @param file the file that contains it; empty if the configuration contains it
     */
    record Shared(JwtSecret secret, Optional<Path> file) implements JwtKeySource {}
}
