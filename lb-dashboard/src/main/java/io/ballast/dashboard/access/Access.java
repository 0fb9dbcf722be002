package io.ballast.dashboard.access;

import io.ballast.dashboard.config.DashboardAccess;
import io.ballast.dashboard.config.DashboardUser;
import io.ballast.dashboard.config.Role;
import io.ballast.dashboard.server.Authenticator;
import io.ballast.dashboard.server.Caller;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Peer;
import io.ballast.dashboard.server.Request;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates requests and decides the caller's role. Users present the cookie of their session, programs present a
 * bearer token. If neither users nor tokens are configured, every local request has full rights.
 *
 * <p>Thread safety: confined to the dashboard's event loop, except for {@link #configure} and {@link #close}.
 */
public final class Access implements Authenticator, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Access.class);
    private static final String BEARER = "bearer ";

    private final EventLoop loop;
    private final LongSupplier nanoTime;
    private final Sessions sessions = new Sessions();
    private final LoginThrottle throttle = new LoginThrottle();
    private final PasswordChecks passwordChecks = new PasswordChecks();
    private final KnownClients knownClients = new KnownClients();
    /** Connections with a streaming response, each with the request that opened it. */
    private final Map<Channel, Request> streams = new LinkedHashMap<>();

    private volatile Active active;

    private record Active(DashboardAccess config, Credentials credentials) {}

    public Access(DashboardAccess config, EventLoop loop, LongSupplier nanoTime) {
        this.loop = loop;
        this.nanoTime = nanoTime;
        this.active = new Active(config, new Credentials(config));
    }

    /**
     * Activates a configuration. Sessions stay valid if the entry of their user did not change. May be called
     * from any thread.
     */
    public void configure(DashboardAccess next) {
        if (next.equals(active.config())) {
            return;
        }
        active = new Active(next, new Credentials(next));
        try {
            loop.execute(this::removeExpiredSessions);
        } catch (RejectedExecutionException e) {
            LOG.debug("expired sessions are not removed because the dashboard is closed");
        }
    }

    /** Returns whether requests need authentication. */
    public boolean needsLogin() {
        return active.config().needsLogin();
    }

    /** Returns how long a session is valid. */
    Duration sessionLifetime() {
        return active.config().sessionLifetime();
    }

    @Override
    public Caller identify(Request request) {
        DashboardAccess config = active.config();
        if (!config.needsLogin()) {
            // A connection of a remote client may still be open although the configuration no longer allows remote
            // clients.
            return config.insecure() || request.peer().isLocal() ? Caller.TRUSTED : Caller.UNKNOWN;
        }
        Optional<String> authorization = request.header(HttpHeaderNames.AUTHORIZATION);
        if (authorization.isPresent()) {
            return identifyByToken(authorization.get());
        }
        return session(request).map(Access::caller).orElse(Caller.UNKNOWN);
    }

    private Caller identifyByToken(String authorization) {
        if (!authorization.regionMatches(/* ignoreCase= */ true, 0, BEARER, 0, BEARER.length())) {
            return Caller.UNKNOWN;
        }
        return active.credentials()
                .token(authorization.substring(BEARER.length()).trim())
                .map(token -> new Caller(
                        Optional.of(token.name()), Optional.of(token.role()), Optional.empty(), token.scope()))
                .orElse(Caller.UNKNOWN);
    }

    private static Caller caller(LoginSession session) {
        DashboardUser user = session.user();
        return new Caller(Optional.of(user.name()), Optional.of(user.role()), Optional.of(session.csrfToken()));
    }

    /** Returns the session named by the request's cookie, if its user's entry did not change since the login. */
    private Optional<LoginSession> session(Request request) {
        return sessionId(request)
                .flatMap(id -> sessions.find(id, nanoTime.getAsLong()))
                .filter(session ->
                        active.credentials().user(session.user().name()).equals(Optional.of(session.user())));
    }

    private static Optional<String> sessionId(Request request) {
        String name = cookieName(request.peer());
        return request.header(HttpHeaderNames.COOKIE).stream()
                .flatMap(header -> ServerCookieDecoder.LAX.decodeAll(header).stream())
                .filter(cookie -> cookie.name().equals(name))
                .map(Cookie::value)
                .findFirst();
    }

    /**
     * Returns the cookie name. It contains the port, because browsers share cookies between ports, and one host
     * may run two dashboards.
     */
    static String cookieName(Peer peer) {
        return (peer.isSecure() ? "__Host-" : "") + "ballast-" + peer.port();
    }

    /**
     * Checks a password. Known clients and clients with a valid session use a separate queue that is served first.
     *
     * @return a new session, or empty if the password is wrong; completed on the event loop
     * @throws HttpProblem 429 if the address has too many failed logins, 503 if the queue of password checks is full
     */
    CompletableFuture<Optional<LoginSession>> logIn(Request request, String name, String password) {
        Peer peer = request.peer();
        long now = nanoTime.getAsLong();
        Duration wait = throttle.remainingWait(peer.address(), now);
        if (!wait.isZero()) {
            throw HttpProblem.retryLater(
                    HttpResponseStatus.TOO_MANY_REQUESTS, "too many logins have failed; try again later", wait);
        }
        CompletableFuture<Optional<DashboardUser>> checked;
        try {
            Credentials credentials = active.credentials();
            boolean isKnown = knownClients.isKnown(peer.address(), now)
                    || session(request).isPresent();
            checked = passwordChecks.check(isKnown, () -> credentials.check(name, password));
        } catch (RejectedExecutionException e) {
            throw HttpProblem.retryLater(
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "too many logins are waiting; try again later",
                    Duration.ofSeconds(1));
        }
        throttle.countAttempt(peer.address(), now);
        return checked.thenApplyAsync(user -> completeLogin(peer, user), loop);
    }

    private Optional<LoginSession> completeLogin(Peer peer, Optional<DashboardUser> user) {
        if (user.isEmpty()) {
            LOG.warn("msg=\"login failed\" client={}", peer.address().getHostAddress());
            return Optional.empty();
        }
        throttle.uncountAttempt(peer.address());
        knownClients.recordLogin(peer.address(), nanoTime.getAsLong());
        LOG.info(
                "msg=\"login\" user={} client={}",
                user.get().name(),
                peer.address().getHostAddress());
        sessions.removeExpired(active.credentials(), nanoTime.getAsLong());
        return Optional.of(sessions.begin(user.get(), sessionLifetime(), nanoTime.getAsLong()));
    }

    /** Ends the session of a request and every stream that it opened. */
    void logOut(Request request) {
        sessionId(request).ifPresent(sessions::end);
        removeExpiredSessions();
    }

    /** Ends the streaming response on a channel as soon as its request would no longer be authorized. */
    public void trackStream(Channel channel, Request request) {
        streams.put(channel, request);
        channel.closeFuture().addListener(closed -> streams.remove(channel));
    }

    /** Removes expired sessions and ends their streams. Call about once a second. */
    public void removeExpiredSessions() {
        sessions.removeExpired(active.credentials(), nanoTime.getAsLong());
        List.copyOf(streams.keySet()).forEach(channel -> {
            Request request = streams.get(channel);
            if (request != null && !mayRead(identify(request))) {
                channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(ChannelFutureListener.CLOSE);
            }
        });
    }

    private static boolean mayRead(Caller caller) {
        return caller.role().filter(role -> role.covers(Role.VIEWER)).isPresent();
    }

    @Override
    public void close() {
        passwordChecks.close();
    }
}
