package io.ballast.policy.oidc;

import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.oidc.login.BrowserRequest;
import io.ballast.policy.oidc.login.Logins;
import io.ballast.policy.oidc.login.Logouts;
import io.ballast.policy.oidc.login.OidcCounters;
import io.ballast.policy.oidc.provider.UserTokens;
import io.ballast.policy.oidc.session.EndedSessions;
import io.ballast.policy.oidc.session.Session;
import io.ballast.policy.oidc.session.SessionCookies;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Lets requests with the session of a user pass. Other users are sent to an OpenID provider to log in. A request with a
 * cached session needs no cryptography.
 *
 * <p>Thread safety: one object serves all event loops. Event loops encrypt and decrypt cookies, which takes about 10
 * µs; other threads exchange codes and verify ID tokens.
 */
public final class OidcPolicy implements Policy {

    private static final Refusal NOT_PERMITTED =
            new Refusal(403, "oidc_claims", "You are logged in, but you have no access to this page.");

    private final List<String> requestHeaders;
    private final UserTokens tokens;
    private final SessionCookies sessions;
    private final EndedSessions ended;
    private final BrowserRequest browser;
    private final Logins logins;
    private final Logouts logouts;
    private final Refreshes refreshes;
    private final OidcCounters counters;
    private final LongSupplier millis;

    /** @param parts the parts of this policy */
    OidcPolicy(OidcConfig config, Parts parts, LongSupplier millis) {
        this.requestHeaders = List.copyOf(config.headers().keySet());
        this.tokens = parts.tokens();
        this.sessions = parts.sessions();
        this.ended = parts.ended();
        this.browser = parts.browser();
        this.logins = parts.logins();
        this.logouts = parts.logouts();
        this.refreshes = new Refreshes(parts, this::accept, millis);
        this.counters = parts.counters();
        this.millis = millis;
    }

    /** The parts of a policy. */
    record Parts(
            UserTokens tokens,
            SessionCookies sessions,
            EndedSessions ended,
            RefreshTable refreshes,
            BrowserRequest browser,
            Logins logins,
            Logouts logouts,
            OidcCounters counters) {}

    @Override
    public Phase phase() {
        return Phase.IDENTITY;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        boolean https = browser.isHttps(exchange);
        boolean dryRun = exchange.isDryRun(step);
        if (!dryRun && browser.isCallback(exchange.request())) {
            return logins.complete(exchange, https);
        }
        if (!dryRun && browser.isLogout(exchange.request())) {
            return logouts.answer(exchange, https);
        }
        Session session = sessions.find(exchange, https);
        if (session == null || ended.contains(session.id())) {
            return dryRun ? Logins.dryRun() : logins.challenge(exchange, https);
        }
        return dryRun || millis.getAsLong() < session.refreshMillis()
                ? accept(session, exchange)
                : refreshes.decide(session, exchange, https);
    }

    private PolicyDecision accept(Session session, PolicyExchange exchange) {
        exchange.setIdentity(session.identity());
        if (!session.permits()) {
            return NOT_PERMITTED;
        }
        exchange.requestLines().append(session.requestLines());
        return PolicyDecision.PASS;
    }

    @Override
    public List<String> requestHeaders() {
        return requestHeaders;
    }

    @Override
    public Map<String, Long> results() {
        return counters.sums();
    }

    @Override
    public void close() {
        tokens.close();
    }
}
