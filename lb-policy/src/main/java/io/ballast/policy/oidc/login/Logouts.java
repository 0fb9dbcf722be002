package io.ballast.policy.oidc.login;

import io.ballast.http.policy.DirectResponse;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.oidc.login.OidcCounters.Result;
import io.ballast.policy.oidc.provider.Provider.Known;
import io.ballast.policy.oidc.provider.UserTokens;
import io.ballast.policy.oidc.session.EndedSessions;
import io.ballast.policy.oidc.session.SessionContent;
import io.ballast.policy.oidc.session.SessionCookies;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends sessions: deletes the cookies, and sends the browser to the provider to log out there too (OpenID Connect
 * RP-Initiated Logout 1.0). The refresh token is revoked, so that other instances of Ballast cannot renew a copy of the
 * session. Only a page of the same origin can end a session; other requests get a page that asks the user.
 * Thread safety: all methods may be called concurrently.
 */
public final class Logouts {

    /**
     * The maximum length of the URL with the ID token. The provider could refuse a longer URL, so a longer one omits
     * the ID token.
     */
    static final int MAX_URL = 6000;

    private static final String HTML = "text/html; charset=utf-8";
    private static final String HEADERS =
            "Cache-Control: no-store\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n";
    private static final int SEE_OTHER = 303;
    private static final Refusal CROSS_SITE =
            new Refusal(403, "oidc_logout_cross_site", "Another site has sent this request.");
    private static final Refusal BAD_METHOD =
            new Refusal(405, "oidc_logout_method", "The logout page accepts only GET and POST.");

    private final OidcConfig config;
    private final UserTokens tokens;
    private final SessionCookies sessions;
    private final EndedSessions ended;
    private final OidcCounters counters;
    private final LongSupplier millis;
    private final DirectResponse question;
    private final DirectResponse done;

    /** @param millis the time of day in milliseconds since 1970 */
    public Logouts(
            OidcConfig config,
            UserTokens tokens,
            SessionCookies sessions,
            EndedSessions ended,
            OidcCounters counters,
            LongSupplier millis) {
        this.config = config;
        this.tokens = tokens;
        this.sessions = sessions;
        this.ended = ended;
        this.counters = counters;
        this.millis = millis;
        this.question = page(
                "oidc_logout_question",
                "<form method=\"post\" action=\"" + escape(config.pages().logout())
                        + "\"><button>Log out</button></form>");
        this.done = page("oidc_logged_out", "<p>You are logged out.</p>");
    }

    private static DirectResponse page(String reason, String content) {
        String html = "<!doctype html><html lang=\"en\"><title>Log out</title>" + content + "</html>\n";
        return new DirectResponse(200, reason, HTML, html.getBytes(StandardCharsets.UTF_8));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
    }

    /** Answers a request for the logout page. */
    public PolicyDecision answer(PolicyExchange exchange, boolean https) {
        boolean isPost = BrowserRequest.isMethod(exchange.request(), "POST");
        if (!isPost && !BrowserRequest.isMethod(exchange.request(), "GET")) {
            exchange.responseLines().appendAscii("Allow: GET, POST\r\n");
            return BAD_METHOD;
        }
        String origin = BrowserRequest.origin(exchange.request(), https);
        boolean isOwn = origin != null && BrowserRequest.isSameOrigin(exchange.request(), origin);
        if (!isOwn && isPost) {
            return CROSS_SITE;
        }
        if (!isOwn) {
            exchange.responseLines().appendAscii(HEADERS);
            return question;
        }
        return logOut(exchange, https);
    }

    private PolicyDecision logOut(PolicyExchange exchange, boolean https) {
        SessionContent content = sessions.read(exchange, https);
        Known known = tokens.provider().current();
        exchange.responseLines().append(sessions.deletion(https));
        exchange.responseLines().appendAscii(HEADERS);
        if (content != null) {
            if (known != null) {
                tokens.revoke(known, content.grant().refreshToken());
            }
            ended.add(content.id(), content.endMillis(), millis.getAsLong());
            counters.count(Result.LOGGED_OUT);
        }
        Optional<String> address =
                address(known, content == null ? "" : content.grant().idToken());
        if (address.isEmpty()) {
            return done;
        }
        exchange.responseLines().appendAscii("Location: " + address.get() + "\r\n");
        return new DirectResponse(SEE_OTHER, "oidc_logged_out");
    }

    /** Returns the URL at which the user logs out of the provider; empty if there is none. */
    private Optional<String> address(@Nullable Known known, String idToken) {
        Optional<URI> page = known == null ? Optional.empty() : known.metadata().endSession();
        return page.map(url -> {
            String parameters =
                    "client_id=" + AuthorizationUrl.encode(config.client().clientId())
                            + config.pages()
                                    .afterLogout()
                                    .map(after -> "&post_logout_redirect_uri=" + AuthorizationUrl.encode(after))
                                    .orElse("");
            String whole = AuthorizationUrl.withQuery(url.toString(), parameters);
            boolean isShort = whole.length() + idToken.length() < MAX_URL;
            return idToken.isEmpty() || !isShort ? whole : whole + "&id_token_hint=" + idToken;
        });
    }
}
