package io.ballast.dashboard.access;

import io.ballast.core.config.DashboardAccess;
import io.ballast.core.config.DashboardUser;
import io.ballast.core.config.Role;
import io.ballast.dashboard.server.Caller;
import io.ballast.dashboard.server.Gate;
import io.ballast.dashboard.server.Peer;
import io.ballast.dashboard.server.Problem;
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
 * Who may do what: users by the cookie of their session, programs by a bearer token, everybody while neither are configured.
 *
 * <p>Thread safety: confined to the dashboard's event loop, except for {@link #configure} and {@link #close}.
 */
public final class Access implements Gate, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Access.class);
    private static final String BEARER = "bearer ";

    private final EventLoop loop;
    private final LongSupplier nanoTime;
    private final Sessions sessions = new Sessions();
    private final LoginThrottle throttle = new LoginThrottle();
    private final PasswordChecks passwords = new PasswordChecks();
    private final KnownClients known = new KnownClients();
    /** Connections that go on after their request was let in, with that request. */
    private final Map<Channel, Request> followers = new LinkedHashMap<>();

    private volatile InForce inForce;

    private record InForce(DashboardAccess config, Credentials credentials) {}

    public Access(DashboardAccess config, EventLoop loop, LongSupplier nanoTime) {
        this.loop = loop;
        this.nanoTime = nanoTime;
        this.inForce = new InForce(config, new Credentials(config));
    }

    /** Goes by another configuration from now on. Sessions of users who stay as they are stay too. Any thread. */
    public void configure(DashboardAccess next) {
        if (next.equals(inForce.config())) {
            return;
        }
        inForce = new InForce(next, new Credentials(next));
        try {
            loop.execute(this::review);
        } catch (RejectedExecutionException e) {
            LOG.debug("the dashboard has ended");
        }
    }

    /** Whether anybody has to say who he is. */
    public boolean needsLogin() {
        return inForce.config().needsLogin();
    }

    /** How long a login lasts. */
    Duration lifetime() {
        return inForce.config().sessionLifetime();
    }

    @Override
    public Caller identify(Request request) {
        DashboardAccess config = inForce.config();
        if (!config.needsLogin()) {
            // A connection from elsewhere may outlive the configuration that let it come.
            return config.insecure() || request.peer().isLocal() ? Caller.TRUSTED : Caller.UNKNOWN;
        }
        Optional<String> authorization = request.header(HttpHeaderNames.AUTHORIZATION);
        if (authorization.isPresent()) {
            return bearer(authorization.get());
        }
        return session(request).map(Access::caller).orElse(Caller.UNKNOWN);
    }

    private Caller bearer(String authorization) {
        if (!authorization.regionMatches(/* ignoreCase= */ true, 0, BEARER, 0, BEARER.length())) {
            return Caller.UNKNOWN;
        }
        return inForce.credentials()
                .token(authorization.substring(BEARER.length()).trim())
                .map(token -> proved(token.name(), token.role(), Optional.empty()))
                .orElse(Caller.UNKNOWN);
    }

    private static Caller caller(Session session) {
        return proved(session.user().name(), session.user().role(), Optional.of(session.csrf()));
    }

    private static Caller proved(String name, Role role, Optional<String> csrf) {
        return new Caller(Optional.of(name), Optional.of(role), csrf);
    }

    /** The session that the request's cookie names, if its user is still what he was. */
    private Optional<Session> session(Request request) {
        return sessionId(request)
                .flatMap(id -> sessions.find(id, nanoTime.getAsLong()))
                .filter(session ->
                        inForce.credentials().user(session.user().name()).equals(Optional.of(session.user())));
    }

    private static Optional<String> sessionId(Request request) {
        String name = cookieName(request.peer());
        return request.header(HttpHeaderNames.COOKIE).stream()
                .flatMap(header -> ServerCookieDecoder.LAX.decodeAll(header).stream())
                .filter(cookie -> cookie.name().equals(name))
                .map(Cookie::value)
                .findFirst();
    }

    /** Browsers do not tell ports apart, and there may be two dashboards on one machine. */
    static String cookieName(Peer peer) {
        return (peer.isSecure() ? "__Host-" : "") + "ballast-" + peer.port();
    }

    /**
     * Has a password checked. Clients that are known, or that show a valid session, do not wait behind others.
     *
     * @return a new session, or none if the password is wrong; completed on the event loop
     * @throws Problem 429 for an address that has failed too often, 503 if too many passwords are waiting
     */
    CompletableFuture<Optional<Session>> logIn(Request request, String name, String password) {
        Peer peer = request.peer();
        long now = nanoTime.getAsLong();
        Duration wait = throttle.waiting(peer.address(), now);
        if (!wait.isZero()) {
            throw Problem.retryLater(
                    HttpResponseStatus.TOO_MANY_REQUESTS, "too many logins have failed; try again later", wait);
        }
        CompletableFuture<Optional<DashboardUser>> checked;
        try {
            Credentials credentials = inForce.credentials();
            boolean isKnown =
                    known.isKnown(peer.address(), now) || session(request).isPresent();
            checked = passwords.check(isKnown, () -> credentials.check(name, password));
        } catch (RejectedExecutionException e) {
            throw Problem.retryLater(
                    HttpResponseStatus.SERVICE_UNAVAILABLE, "too many logins are waiting", Duration.ofSeconds(1));
        }
        throttle.attempt(peer.address(), now);
        return checked.thenApplyAsync(user -> begin(peer, user), loop);
    }

    private Optional<Session> begin(Peer peer, Optional<DashboardUser> user) {
        if (user.isEmpty()) {
            LOG.warn("msg=\"login failed\" client={}", peer.address().getHostAddress());
            return Optional.empty();
        }
        throttle.undo(peer.address());
        known.loggedIn(peer.address(), nanoTime.getAsLong());
        LOG.info(
                "msg=\"login\" user={} client={}",
                user.get().name(),
                peer.address().getHostAddress());
        sessions.review(inForce.credentials(), nanoTime.getAsLong());
        return Optional.of(sessions.begin(user.get(), lifetime(), nanoTime.getAsLong()));
    }

    /** Ends the session of a request, and what was let in by it. */
    void logOut(Request request) {
        sessionId(request).ifPresent(sessions::end);
        review();
    }

    /** Has the connection, on which the answer is a stream, end when its request would not be let in any more. */
    public void follow(Channel channel, Request request) {
        followers.put(channel, request);
        channel.closeFuture().addListener(closed -> followers.remove(channel));
    }

    /** Ends what has ended; to be called about once a second. */
    public void review() {
        sessions.review(inForce.credentials(), nanoTime.getAsLong());
        List.copyOf(followers.keySet()).forEach(channel -> {
            Request request = followers.get(channel);
            if (request != null && identify(request).role().isEmpty()) {
                channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(ChannelFutureListener.CLOSE);
            }
        });
    }

    @Override
    public void close() {
        passwords.close();
    }
}
