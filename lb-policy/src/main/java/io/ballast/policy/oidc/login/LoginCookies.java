package io.ballast.policy.oidc.login;

import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.key.Cookies;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.oidc.session.CookieCipher;
import io.ballast.policy.oidc.session.CookieNames;
import io.ballast.policy.oidc.session.SessionCookies;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stores each login of a browser in its own cookie, so that several logins can be in progress. A new login deletes the
 * oldest logins if a browser has more than {@value #MAX_LOGINS}, or if its cookies are too long for the head of a
 * request. If that is not enough, it deletes the session too, which the policy has not accepted. Immutable.
 */
final class LoginCookies {

    static final int MAX_LOGINS = 8;
    static final int MAX_CHARACTERS = 3072;
    /** The maximum length of all cookies of a request: requests have lines of up to 8 KiB by default. */
    static final int MAX_LINE = 7168;

    /** The maximum number of cookies that one response deletes. */
    private static final int MAX_DELETED = 32;

    private static final byte[] COOKIE = "cookie".getBytes(StandardCharsets.US_ASCII);

    private final CookieCipher cipher;
    private final byte[] purpose;
    private final SessionCookies sessions;

    LoginCookies(OidcConfig config, CookieCipher cipher, SessionCookies sessions) {
        this.cipher = cipher;
        this.purpose = SessionCookies.purpose("login", config);
        this.sessions = sessions;
    }

    /** Appends the header lines that store a login. */
    void store(LoginState login, PolicyExchange exchange, boolean https) {
        CookieNames names = sessions.names(https);
        String value = encrypt(login);
        List<String> others = logins(exchange.request(), names.loginPrefix());
        int length = value.length() + others.stream().mapToInt(String::length).sum();
        int line = cookieCharacters(exchange.request())
                + name(login.state(), names).length()
                + value.length();
        int excess = 0;
        for (String oldest : others) { // the oldest come first: browsers sort cookies by age
            int left = others.size() - excess;
            boolean fits = left < MAX_LOGINS && length <= MAX_CHARACTERS && line <= MAX_LINE;
            if (fits || excess == MAX_DELETED) {
                break;
            }
            excess++;
            length -= oldest.length();
            line -= oldest.length();
            append(names.loginLine(oldest.substring(0, oldest.indexOf('=')), "", 0), exchange);
        }
        if (line > MAX_LINE) {
            exchange.responseLines().append(sessions.deletion(https));
        }
        append(names.loginLine(name(login.state(), names), value, LoginState.MAX_AGE_SECONDS), exchange);
    }

    /**
     * Returns the value of the cookie. If the address of the page makes the value too long, the user returns to the
     * page without its query, or to the root.
     */
    private String encrypt(LoginState login) {
        String target = login.target();
        int query = target.indexOf('?');
        for (String page : List.of(target, query < 0 ? target : target.substring(0, query))) {
            String value = cipher.encrypt(login.withTarget(page).encode(), purpose);
            if (value.length() <= MAX_CHARACTERS) {
                return value;
            }
        }
        return cipher.encrypt(login.withTarget("/").encode(), purpose);
    }

    private static int cookieCharacters(RoutedRequest request) {
        int characters = 0;
        for (int line = request.headerLine(COOKIE, 0); line >= 0; line = request.headerLine(COOKIE, line + 1)) {
            characters += request.headerEnd(line) - request.headerStart(line);
        }
        return characters;
    }

    /** Returns the login with a state that the browser of a request has started; null if there is none. */
    @Nullable LoginState find(String state, PolicyExchange exchange, boolean https, long nowMillis) {
        if (state.length() != LoginState.STATE_CHARACTERS) {
            return null;
        }
        byte[] name = name(state, sessions.names(https)).getBytes(StandardCharsets.ISO_8859_1);
        long range = Cookies.find(exchange.request(), name);
        if (range == Cookies.NONE || Cookies.to(range) - Cookies.from(range) > MAX_CHARACTERS) {
            return null;
        }
        byte[] plain = cipher.decrypt(exchange.request().bytes(), Cookies.from(range), Cookies.to(range), purpose);
        LoginState login = plain == null ? null : LoginState.decode(plain);
        return login != null && login.fits(state, nowMillis) ? login : null;
    }

    /** Appends the header line that deletes a login. */
    void delete(LoginState login, PolicyExchange exchange, boolean https) {
        CookieNames names = sessions.names(https);
        append(names.loginLine(name(login.state(), names), "", 0), exchange);
    }

    private static String name(String state, CookieNames names) {
        return names.loginPrefix() + state.substring(0, LoginState.NAME_CHARACTERS);
    }

    /** Returns the cookies of logins in a request: names and values. */
    private static List<String> logins(RoutedRequest request, String prefix) {
        Pattern login = Pattern.compile(
                "(?:^|;)[ \\t]*(" + Pattern.quote(prefix) + "[A-Za-z0-9_-]{" + LoginState.NAME_CHARACTERS + "}=[^;]*)");
        List<String> found = new ArrayList<>();
        for (int line = request.headerLine(COOKIE, 0); line >= 0; line = request.headerLine(COOKIE, line + 1)) {
            int from = request.headerStart(line);
            String text =
                    new String(request.bytes(), from, request.headerEnd(line) - from, StandardCharsets.ISO_8859_1);
            Matcher matcher = login.matcher(text);
            while (matcher.find()) {
                found.add(matcher.group(1));
            }
        }
        return found;
    }

    private static void append(String line, PolicyExchange exchange) {
        exchange.responseLines().appendAscii(line);
    }
}
