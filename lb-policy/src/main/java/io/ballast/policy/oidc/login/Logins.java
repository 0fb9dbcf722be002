package io.ballast.policy.oidc.login;

import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.DirectResponse;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.oidc.login.OidcCounters.Result;
import io.ballast.policy.oidc.provider.CodeGrant;
import io.ballast.policy.oidc.provider.Provider.Known;
import io.ballast.policy.oidc.provider.ProviderException;
import io.ballast.policy.oidc.provider.UserGrant;
import io.ballast.policy.oidc.provider.UserTokens;
import io.ballast.policy.oidc.session.CookieCipher;
import io.ballast.policy.oidc.session.SessionContent;
import io.ballast.policy.oidc.session.SessionCookies;
import io.ballast.policy.work.SlowWork;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Sends users without a session to the provider, and handles their return (OpenID Connect Core 1.0 section 3.1). Thread
 * safety: all methods may be called concurrently; they do not block.
 */
public final class Logins {

    /** The maximum number of requests that wait for the first discovery document; further requests get 503. */
    static final int MAX_WAITING = 1000;

    /** How long a request waits for the first discovery document. */
    private static final Duration PROVIDER_WAIT = Duration.ofSeconds(5);

    private static final int FOUND = 302;
    private static final int SESSION_ID_BYTES = 16;

    private static final Refusal UNAVAILABLE = Refusal.undecided("oidc_provider_unavailable");
    private static final Refusal NO_HOST = new Refusal(400, "oidc_host", "The request has no valid host.");
    private static final Refusal NO_SESSION =
            new Refusal(401, "oidc_no_session", "You are not logged in. Open the page in a browser.");
    private static final Refusal BAD_CALLBACK = new Refusal(400, "oidc_callback", "The login is not valid.");
    private static final Refusal NO_LOGIN = new Refusal(
            400, "oidc_state", "The login has expired, or another browser has started it. Open the page again.");
    private static final Refusal OTHER_ISSUER =
            new Refusal(400, "oidc_issuer", "The login belongs to another identity provider.");
    private static final Refusal DENIED =
            new Refusal(403, "oidc_denied", "The identity provider has not logged you in.");
    private static final Refusal INVALID_CODE =
            new Refusal(400, "oidc_code", "The login has expired. Open the page again.");
    private static final Refusal INVALID_TOKEN =
            new Refusal(403, "oidc_id_token", "The response of the identity provider is not valid.");
    private static final Refusal TOO_LARGE =
            new Refusal(403, "oidc_session_too_large", "The identity provider sends too many claims.");

    private final OidcConfig config;
    private final UserTokens tokens;
    private final SessionCookies sessions;
    private final LoginCookies logins;
    private final BrowserRequest browser;
    private final OidcCounters counters;
    private final LongSupplier millis;
    private final RandomGenerator random;
    private final AuthorizationUrl authorization;
    private final byte[] challenge;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param millis the time of day in milliseconds since 1970
     * @param random a secure source of numbers
     */
    public Logins(
            OidcConfig config,
            UserTokens tokens,
            SessionCookies sessions,
            CookieCipher cipher,
            BrowserRequest browser,
            OidcCounters counters,
            LongSupplier millis,
            RandomGenerator random) {
        this.config = config;
        this.tokens = tokens;
        this.sessions = sessions;
        this.logins = new LoginCookies(config, cipher, sessions);
        this.browser = browser;
        this.counters = counters;
        this.millis = millis;
        this.random = random;
        this.authorization = new AuthorizationUrl(config);
        this.challenge = ascii(
                "WWW-Authenticate: Cookie cookie-name=\"" + config.cookie().name() + "\"\r\n");
    }

    // ---- the start of a login

    /**
     * Answers a request without a session: a browser that loads a page is redirected to the provider, other requests
     * get 401. While the provider is unknown, all requests get 503.
     */
    public PolicyDecision challenge(PolicyExchange exchange, boolean https) {
        Known known = tokens.provider().current();
        if (known == null) {
            return awaitProvider(exchange, https);
        }
        if (!BrowserRequest.isNavigation(exchange.request())) {
            exchange.responseLines().append(challenge);
            return NO_SESSION;
        }
        String origin = BrowserRequest.origin(exchange.request(), https);
        if (origin == null) {
            return NO_HOST;
        }
        LoginState login =
                LoginState.create(origin, BrowserRequest.target(exchange.request()), millis.getAsLong(), random);
        logins.store(login, exchange, https);
        counters.count(Result.LOGIN_STARTED);
        String redirectUri = redirectUri(exchange, https);
        return redirect(authorization.of(known.metadata(), login, redirectUri), "oidc_login", exchange);
    }

    private String redirectUri(PolicyExchange exchange, boolean https) {
        return browser.callbackOrigin(exchange.request(), https)
                + config.pages().callbackPath();
    }

    /** Waits for the download in progress; refuses the request if there is none. */
    private PolicyDecision awaitProvider(PolicyExchange exchange, boolean https) {
        CompletableFuture<Void> attempt = tokens.provider().attempt();
        if (attempt.isDone()) {
            return UNAVAILABLE;
        }
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return SlowWork.BUSY;
        }
        CompletableFuture<Continuation> later = exchange.later(PROVIDER_WAIT.toNanos(), UNAVAILABLE);
        later.whenComplete((result, failure) -> waiting.decrementAndGet());
        attempt.whenComplete((result, failure) -> later.complete(
                (next, step) -> tokens.provider().current() == null ? UNAVAILABLE : challenge(next, https)));
        return new PendingDecision(later);
    }

    // ---- the return from the provider

    /** Answers a request for the page of the callback. */
    public PolicyDecision complete(PolicyExchange exchange, boolean https) {
        CallbackParameters parameters = BrowserRequest.isMethod(exchange.request(), "GET")
                ? CallbackParameters.parse(BrowserRequest.query(exchange.request()))
                : null;
        if (parameters == null || parameters.state().isEmpty()) {
            return failed(BAD_CALLBACK);
        }
        LoginState login = logins.find(parameters.state(), exchange, https, millis.getAsLong());
        if (login == null) {
            return sessions.find(exchange, https) == null ? failed(NO_LOGIN) : toRoot(exchange, https);
        }
        logins.delete(login, exchange, https);
        Known known = tokens.provider().current();
        if (known == null) {
            return failed(UNAVAILABLE);
        }
        boolean isOtherIssuer = parameters.issuer().isEmpty()
                ? known.metadata().sendsIssuer()
                : !parameters.issuer().equals(config.client().issuer());
        if (isOtherIssuer) {
            return failed(OTHER_ISSUER);
        }
        if (parameters.code().isEmpty() || !parameters.error().isEmpty()) {
            return failed(parameters.error().isEmpty() ? BAD_CALLBACK : DENIED);
        }
        return exchangeCode(known, parameters.code(), login, exchange, https);
    }

    /** Redirects a user who has loaded the page of a completed login again. */
    private PolicyDecision toRoot(PolicyExchange exchange, boolean https) {
        String origin = BrowserRequest.origin(exchange.request(), https);
        return origin == null ? NO_HOST : redirect(origin + "/", "oidc_repeated", exchange);
    }

    private PolicyDecision exchangeCode(
            Known known, String code, LoginState login, PolicyExchange exchange, boolean https) {
        CodeGrant grant = new CodeGrant(code, login.verifier(), redirectUri(exchange, https), login.nonce());
        CompletableFuture<UserGrant> result = tokens.exchange(known, grant);
        if (result == null) {
            return failed(SlowWork.BUSY);
        }
        return new PendingDecision(result.handle((user, failure) -> (Continuation)
                (next, step) -> user == null ? failed(refusal(failure)) : finish(user, login, next, https)));
    }

    private static Refusal refusal(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (!(cause instanceof ProviderException reason)) {
            return UNAVAILABLE;
        }
        return switch (reason.kind()) {
            case GRANT -> INVALID_CODE;
            case ID_TOKEN -> INVALID_TOKEN;
            case ANSWER, UNREACHABLE -> UNAVAILABLE;
        };
    }

    private PolicyDecision finish(UserGrant user, LoginState login, PolicyExchange exchange, boolean https) {
        long now = millis.getAsLong();
        SessionContent content = new SessionContent(
                LoginState.random(SESSION_ID_BYTES, random),
                now,
                now + config.session().toMillis(),
                user);
        Optional<byte[]> lines = sessions.lines(content, https);
        if (lines.isEmpty()) {
            return failed(TOO_LARGE);
        }
        exchange.responseLines().append(lines.get());
        counters.count(Result.LOGIN_COMPLETED);
        String own = BrowserRequest.origin(exchange.request(), https);
        if (own == null) {
            return NO_HOST;
        }
        String target = isSameSite(login.origin(), own) ? login.origin() + login.target() : own + "/";
        return redirect(target, "oidc_logged_in", exchange);
    }

    /** Whether a page may be the target of a login: its host is that of the callback, or shares the cookie's domain. */
    private boolean isSameSite(String origin, String own) {
        if (origin.equals(own)) {
            return true;
        }
        String host = URI.create(origin).getHost();
        return host != null
                && config.cookie()
                        .domain()
                        .filter(domain -> host.equals(domain) || host.endsWith("." + domain))
                        .isPresent();
    }

    private PolicyDecision failed(Refusal refusal) {
        counters.count(Result.LOGIN_FAILED);
        return refusal;
    }

    // ---- responses

    /** Redirects a browser. The address must be printable ASCII. */
    static PolicyDecision redirect(String address, String reason, PolicyExchange exchange) {
        exchange.responseLines().appendAscii("Location: " + address + "\r\nCache-Control: no-store\r\n");
        return new DirectResponse(FOUND, reason);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The refusal that a policy with {@code dry_run} counts for a request without a session. The request passes
     * nevertheless.
     */
    public static PolicyDecision dryRun() {
        return NO_SESSION;
    }
}
