package io.ballast.dashboard.server;

import io.ballast.dashboard.config.Role;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Maps paths and methods to handlers. GET routes also answer HEAD; other methods of a known path get a 405.
 * Each route defines the roles that may use it: viewers may read, operators may do everything, programs with the role
 * override may use a few routes, and a few routes are public.
 *
 * <p>Thread safety: all routes are added before the server starts; after that, the router is read-only.
 */
public final class Router {

    /** Maximum length of a path parameter in characters. */
    static final int MAX_PARAMETER = 1_000;

    static final String CSRF_HEADER = "X-CSRF-Token";

    private static final String GET = "GET";
    private static final String HEAD = "HEAD";

    /** Routes by path and method; HEAD uses the GET route. */
    private final Map<String, Map<String, Route>> exact = new LinkedHashMap<>();

    private final List<Template> templates = new ArrayList<>();
    private final List<String> routeDescriptions = new ArrayList<>();
    private boolean isForBrowsers = true;

    /**
     * Adds a route for an exact path, or for a template in which {@code {name}} matches one segment. Needs the viewer
     * role.
     */
    public Router get(String path, Handler handler) {
        return add(GET, path, new Route(handler, List.of(Role.VIEWER), /* needsBody= */ false));
    }

    /** Like {@link #get}, for the roles viewer and override. The handler enforces the scope of the caller. */
    public Router getScoped(String path, Handler handler) {
        return add(GET, path, new Route(handler, List.of(Role.VIEWER, Role.OVERRIDE), /* needsBody= */ false));
    }

    /** Like {@link #get}, but needs the operator role, for content that may contain secrets. */
    public Router getOperator(String path, Handler handler) {
        return add(GET, path, new Route(handler, List.of(Role.OPERATOR), /* needsBody= */ false));
    }

    /** Like {@link #get}, without authentication. */
    public Router getPublic(String path, Handler handler) {
        return add(GET, path, new Route(handler, List.of(), /* needsBody= */ false));
    }

    /** Adds a POST route for an exact path with a JSON body. Needs the operator role. */
    public Router post(String path, Handler handler) {
        return add("POST", path, new Route(handler, List.of(Role.OPERATOR), /* needsBody= */ true));
    }

    /** Like {@link #post}, without authentication. */
    public Router postPublic(String path, Handler handler) {
        return add("POST", path, new Route(handler, List.of(), /* needsBody= */ true));
    }

    /**
     * Omits the response headers that only concern browsers, because they can be longer than the rest of a response.
     * Must be used only if all clients are programs that send a secret with each request.
     */
    public Router forPrograms() {
        isForBrowsers = false;
        return this;
    }

    boolean isForBrowsers() {
        return isForBrowsers;
    }

    /** Adds a PUT route without a body, without authentication by this router. */
    public Router putWithoutBody(String path, Handler handler) {
        return add("PUT", path, new Route(handler, List.of(), /* needsBody= */ false));
    }

    /** Adds a PUT route with a JSON body, without authentication by this router. */
    public Router putPublic(String path, Handler handler) {
        return add("PUT", path, new Route(handler, List.of(), /* needsBody= */ true));
    }

    /** Adds a DELETE route without a required body, without authentication by this router. */
    public Router deletePublic(String path, Handler handler) {
        return add("DELETE", path, new Route(handler, List.of(), /* needsBody= */ false));
    }

    /** Adds a POST route for an exact path or a template, without a required body. Needs the operator role. */
    public Router command(String path, Handler handler) {
        return command(path, Role.OPERATOR, handler);
    }

    /** Like {@link #command(String, Handler)}, but needs {@code role}. */
    public Router command(String path, Role role, Handler handler) {
        return add("POST", path, new Route(handler, List.of(role), /* needsBody= */ false));
    }

    /** Adds a PUT route without a required body. Needs the operator role. */
    public Router put(String path, Handler handler) {
        return put(path, Role.OPERATOR, handler);
    }

    /** Like {@link #put(String, Handler)}, but needs {@code role}. */
    public Router put(String path, Role role, Handler handler) {
        return add("PUT", path, new Route(handler, List.of(role), /* needsBody= */ false));
    }

    /** Adds a DELETE route without a required body. Needs the operator role. */
    public Router delete(String path, Handler handler) {
        return delete(path, Role.OPERATOR, handler);
    }

    /** Like {@link #delete(String, Handler)}, but needs {@code role}. */
    public Router delete(String path, Role role, Handler handler) {
        return add("DELETE", path, new Route(handler, List.of(role), /* needsBody= */ false));
    }

    /**
     * Returns every route in the order of registration as method, path and roles, such as {@code POST /reload
     * operator} or {@code GET /api/v1/overrides viewer,override}.
     */
    public List<String> routeDescriptions() {
        return List.copyOf(routeDescriptions);
    }

    private Router add(String method, String path, Route route) {
        routeDescriptions.add(
                method + " " + path + " " + (route.roles().isEmpty() ? "anybody" : names(route.roles(), ",")));
        if (path.indexOf('{') < 0) {
            exact.computeIfAbsent(path, each -> new LinkedHashMap<>()).put(method, route);
            return this;
        }
        List<String> segments = List.of(path.split("/"));
        Template known = templates.stream()
                .filter(each -> each.segments().equals(segments))
                .findFirst()
                .orElse(null);
        if (known == null) {
            known = new Template(segments, new LinkedHashMap<>());
            templates.add(known);
        }
        known.routes().put(method, route);
        return this;
    }

    private static String names(List<Role> roles, String separator) {
        return roles.stream().map(role -> role.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(separator));
    }

    /**
     * Runs the handler of a request. Throws {@link HttpProblem} 404 for an unknown path, and 405 for a method that the
     * path does not support. Throws 401 if the request has no valid authentication, and 403 if the caller lacks the
     * required role.
     */
    AdminResponse route(Request request) {
        Map<String, Route> routes = exact.get(request.path());
        if (routes != null) {
            return dispatch(routes, request);
        }
        List<String> segments = List.of(request.path().split("/", /* limit= */ -1));
        for (Template template : templates) {
            Optional<Map<String, String>> found = template.match(segments);
            if (found.isPresent()) {
                return dispatch(template.routes(), request.with(found.get()));
            }
        }
        throw HttpProblem.notFound("there is no resource at " + request.path());
    }

    private static AdminResponse dispatch(Map<String, Route> routes, Request request) {
        String method = request.method().name();
        boolean reads = method.equals(GET) || method.equals(HEAD);
        Route route = routes.get(reads ? GET : method);
        if (route == null) {
            Set<String> allowed = new HashSet<>(routes.keySet());
            if (allowed.contains(GET)) {
                allowed.add(HEAD);
            }
            throw HttpProblem.methodNotAllowed(allowed);
        }
        return reads ? handleRead(route, request) : handleWrite(route, request);
    }

    /**
     * Checks a request with side effects and runs its handler. A page of another site can send JSON only after a
     * CORS preflight, which is rejected. Without a preflight it can send only form content types, and {@link
     * RequestGuard} rejects these requests. A caller with a session cookie must also send the CSRF token, which
     * only the dashboard's own page can read.
     */
    private static AdminResponse handleWrite(Route writer, Request request) {
        checkPermission(writer, request);
        if (!writer.roles().isEmpty()) {
            checkCsrf(request);
        }
        Optional<String> type = request.header(HttpHeaderNames.CONTENT_TYPE);
        boolean untyped = type.isEmpty() && request.body().length == 0 && !writer.needsBody();
        if (!untyped && !type.orElse("").split(";", 2)[0].trim().equalsIgnoreCase("application/json")) {
            throw HttpProblem.of(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json");
        }
        return writer.handler().handle(request);
    }

    private static AdminResponse handleRead(Route reader, Request request) {
        checkPermission(reader, request);
        return reader.handler().handle(request);
    }

    private static void checkPermission(Route route, Request request) {
        if (route.roles().isEmpty()) {
            return;
        }
        Role role = request.caller()
                .role()
                .orElseThrow(
                        () -> HttpProblem.unauthorized("authentication required: log in or send a valid bearer token"));
        if (route.roles().stream().noneMatch(role::covers)) {
            throw HttpProblem.of(
                    HttpResponseStatus.FORBIDDEN,
                    "this request requires the role " + names(route.roles(), " or ") + ", and "
                            + request.caller().name().orElse("the caller") + " has "
                            + role.name().toLowerCase(Locale.ROOT));
        }
    }

    private static void checkCsrf(Request request) {
        Optional<String> expected = request.caller().csrfToken();
        if (expected.isPresent()
                && !equalsInConstantTime(
                        expected.get(), request.header(CSRF_HEADER).orElse(""))) {
            throw HttpProblem.of(
                    HttpResponseStatus.FORBIDDEN,
                    CSRF_HEADER + " does not match the session; get the current token from /api/v1/session");
        }
    }

    private static boolean equalsInConstantTime(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param roles the roles that may use the route; empty for a public route
     */
    private record Route(Handler handler, List<Role> roles, boolean needsBody) {}

    private record Template(List<String> segments, Map<String, Route> routes) {

        Optional<Map<String, String>> match(List<String> path) {
            if (path.size() != segments.size()) {
                return Optional.empty();
            }
            Map<String, String> found = new LinkedHashMap<>();
            for (int i = 0; i < segments.size(); i++) {
                String expected = segments.get(i);
                if (expected.startsWith("{")) {
                    found.put(expected.substring(1, expected.length() - 1), decode(path.get(i)));
                } else if (!expected.equals(path.get(i))) {
                    return Optional.empty();
                }
            }
            return Optional.of(found);
        }

        private static String decode(String segment) {
            String decoded;
            try {
                decoded = QueryStringDecoder.decodeComponent(segment);
            } catch (IllegalArgumentException e) {
                throw HttpProblem.badRequest("the path has an invalid percent-encoding");
            }
            int length = decoded.codePointCount(0, decoded.length());
            if (length > MAX_PARAMETER) {
                throw HttpProblem.badRequest(
                        "a path parameter has " + length + " characters (expected: at most " + MAX_PARAMETER + ")");
            }
            return decoded;
        }
    }
}
