package io.ballast.dashboard.access;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.dashboard.config.Role;
import io.ballast.dashboard.document.OverrideJson;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.Caller;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Peer;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.cookie.CookieHeaderNames.SameSite;
import io.netty.handler.codec.http.cookie.DefaultCookie;
import io.netty.handler.codec.http.cookie.ServerCookieEncoder;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes for login, logout and the current session. */
public final class LoginRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(LoginRoutes.class);
    private static final String NAME = "name";
    private static final String PASSWORD = "password";
    /** Maximum length of a name and of a password in characters. */
    private static final int MAX_LENGTH = 1_000;

    private final Access access;

    public LoginRoutes(Access access) {
        this.access = access;
    }

    public void addTo(Router router) {
        router.postPublic("/api/v1/login", this::logIn);
        router.getPublic("/api/v1/session", request -> sessionReply(request.caller()));
        router.command("/api/v1/logout", Role.VIEWER, this::logOut);
    }

    private AdminResponse logIn(Request request) {
        LoginBody body = LoginBody.of(request);
        if (!access.needsLogin()) {
            throw HttpProblem.of(HttpResponseStatus.CONFLICT, "login is not configured and not required");
        }
        return new AdminResponse.Async(access.logIn(request, body.name(), body.password())
                .handle((session, failure) -> {
                    if (failure != null) {
                        LOG.error("cannot check the password of a login", failure);
                        return HttpProblem.internal().reply();
                    }
                    return session.map(started -> loginReply(started, request.peer()))
                            .orElseGet(() -> HttpProblem.unauthorized("wrong name or password")
                                    .reply());
                }));
    }

    /** The body of a login request. */
    private record LoginBody(String name, String password) {

        static LoginBody of(Request request) {
            try {
                Map<String, String> values = OverrideJson.read(request.body());
                String name = values.get(NAME);
                String password = values.get(PASSWORD);
                if (name != null && password != null && values.size() == 2) {
                    checkLength(NAME, name);
                    checkLength(PASSWORD, password);
                    return new LoginBody(name, password);
                }
            } catch (IllegalArgumentException e) {
                throw HttpProblem.badRequest(ErrorText.of(e));
            }
            throw HttpProblem.badRequest("body: unexpected fields (expected: name and password)");
        }

        private static void checkLength(String field, String value) {
            int length = value.codePointCount(0, value.length());
            Checks.that(length <= MAX_LENGTH, field, length + " characters", "at most " + MAX_LENGTH);
        }
    }

    private AdminResponse.Complete loginReply(LoginSession session, Peer peer) {
        return sessionReply(new Caller(
                        Optional.of(session.user().name()),
                        Optional.of(session.user().role()),
                        Optional.of(session.csrfToken())))
                .with(HttpHeaderNames.SET_COOKIE, cookie(session.id(), access.sessionLifetime(), peer));
    }

    private AdminResponse logOut(Request request) {
        access.logOut(request);
        return sessionReply(Caller.UNKNOWN).with(HttpHeaderNames.SET_COOKIE, cookie("", Duration.ZERO, request.peer()));
    }

    private AdminResponse.Complete sessionReply(Caller caller) {
        return AdminResponse.json(JsonWriter.write(json -> json.object(() -> {
            json.field("login", access.needsLogin());
            caller.name().ifPresentOrElse(name -> json.field("name", name), () -> json.nullField("name"));
            caller.role()
                    .ifPresentOrElse(
                            role -> json.field("role", role.name().toLowerCase(Locale.ROOT)),
                            () -> json.nullField("role"));
            caller.csrfToken().ifPresentOrElse(csrf -> json.field("csrf", csrf), () -> json.nullField("csrf"));
        })));
    }

    private static String cookie(String value, Duration age, Peer peer) {
        DefaultCookie cookie = new DefaultCookie(Access.cookieName(peer), value);
        cookie.setPath("/");
        cookie.setMaxAge(age.toSeconds());
        cookie.setHttpOnly(true);
        cookie.setSecure(peer.isSecure());
        cookie.setSameSite(SameSite.Strict);
        return ServerCookieEncoder.STRICT.encode(cookie);
    }
}
