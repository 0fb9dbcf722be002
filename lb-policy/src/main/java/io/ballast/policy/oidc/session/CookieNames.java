package io.ballast.policy.oidc.session;

import io.ballast.core.config.SameSite;
import io.ballast.policy.config.oidc.OidcCookie;
import java.nio.charset.StandardCharsets;

/**
 * The names and attributes of the cookies of one scheme. With TLS, names start with {@code __Host-} or {@code __Secure-},
 * so that a page of another host or without TLS cannot set them (RFC 6265bis section 4.1.3). Immutable.
 */
public final class CookieNames {

    private final String name;
    private final String second;
    private final byte[] firstBytes;
    private final byte[] secondBytes;
    private final String attributes;
    private final String loginAttributes;

    /** @param https whether the client uses TLS */
    public CookieNames(OidcCookie cookie, boolean https) {
        String prefix = !https ? "" : cookie.domain().isPresent() ? "__Secure-" : "__Host-";
        this.name = prefix + cookie.name();
        this.second = name + "_2";
        this.firstBytes = name.getBytes(StandardCharsets.US_ASCII);
        this.secondBytes = second.getBytes(StandardCharsets.US_ASCII);
        String common = "; Path=/; HttpOnly" + (https ? "; Secure" : "")
                + cookie.domain().map(domain -> "; Domain=" + domain).orElse("") + "; SameSite=";
        SameSite sameSite = https ? cookie.sameSite() : SameSite.LAX; // browsers accept None only with Secure
        this.attributes = common + sameSite.attribute();
        this.loginAttributes = common + SameSite.LAX.attribute();
    }

    byte[] first() {
        return firstBytes;
    }

    byte[] second() {
        return secondBytes;
    }

    /** The prefix of the names of login cookies. */
    public String loginPrefix() {
        return name + "_login_";
    }

    /** Returns the header line that sets the first or second part of a session. */
    String line(boolean isFirst, String value, long maxAgeSeconds) {
        return line(isFirst ? name : second, value, maxAgeSeconds, attributes);
    }

    /** Returns the header line that sets the cookie of a login. */
    public String loginLine(String cookie, String value, long maxAgeSeconds) {
        return line(cookie, value, maxAgeSeconds, loginAttributes);
    }

    private static String line(String cookie, String value, long maxAgeSeconds, String attributes) {
        return "Set-Cookie: " + cookie + "=" + value + "; Max-Age=" + maxAgeSeconds + attributes + "\r\n";
    }
}
