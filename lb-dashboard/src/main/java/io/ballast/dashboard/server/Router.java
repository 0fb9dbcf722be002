package io.ballast.dashboard.server;

import io.ballast.core.config.Role;
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

/**
 * Finds the handler of a request by its path. A path answers the methods that it has routes for, HEAD
 * where it answers GET, and nothing else. What it needs
 * of who asks is said where it is added: viewers may read, operators may change something, and few routes are open to all.
 *
 * <p>Thread safety: routes are added before the server starts; after that it is only read.
 */
public final class Router {

    static final String CSRF_HEADER = "X-CSRF-Token";

    private static final String GET = "GET";
    private static final String HEAD = "HEAD";

    /** What each path answers to, by method; that to GET answers HEAD too. */
    private final Map<String, Map<String, Route>> exact = new LinkedHashMap<>();

    private final List<Template> templates = new ArrayList<>();
    private final List<String> described = new ArrayList<>();

    /** Adds a route for exactly this path, or for a template in which {@code {name}} stands for one segment. */
    public Router get(String path, Handler handler) {
        return add(GET, path, new Route(handler, Optional.of(Role.VIEWER), /* needsBody= */ false));
    }

    /** Like the other, for everybody, whoever he is. */
    public Router open(String path, Handler handler) {
        return add(GET, path, new Route(handler, Optional.empty(), /* needsBody= */ false));
    }

    /** Adds a route for exactly this path, which takes a body of JSON. */
    public Router post(String path, Handler handler) {
        return add("POST", path, new Route(handler, Optional.of(Role.OPERATOR), /* needsBody= */ true));
    }

    /** Like the other, for everybody, whoever he is. */
    public Router openPost(String path, Handler handler) {
        return add("POST", path, new Route(handler, Optional.empty(), /* needsBody= */ true));
    }

    /** Adds a route for exactly this path, or for a template, that POST has do something; it needs no body. */
    public Router command(String path, Handler handler) {
        return command(path, Role.OPERATOR, handler);
    }

    /** Like the other, for those who have this role. */
    public Router command(String path, Role role, Handler handler) {
        return add("POST", path, new Route(handler, Optional.of(role), /* needsBody= */ false));
    }

    /** Adds a route that PUT has change something; it needs no body. */
    public Router put(String path, Handler handler) {
        return add("PUT", path, new Route(handler, Optional.of(Role.OPERATOR), /* needsBody= */ false));
    }

    /** Adds a route that DELETE has take something away; it needs no body. */
    public Router delete(String path, Handler handler) {
        return add("DELETE", path, new Route(handler, Optional.of(Role.OPERATOR), /* needsBody= */ false));
    }

    /** Every route as it was added, a method, a path and the role that it needs, such as {@code POST /reload operator}. */
    public List<String> described() {
        return List.copyOf(described);
    }

    private Router add(String method, String path, Route route) {
        described.add(method + " " + path + " "
                + route.role().map(role -> role.name().toLowerCase(Locale.ROOT)).orElse("anybody"));
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

    /** Has the request answered; throws {@link Problem} 404 or 405 when nothing here does, 401 or 403 when he may not. */
    Reply route(Request request) {
        Map<String, Route> routes = exact.get(request.path());
        if (routes != null) {
            return answer(routes, request);
        }
        List<String> segments = List.of(request.path().split("/", /* limit= */ -1));
        for (Template template : templates) {
            Optional<Map<String, String>> found = template.match(segments);
            if (found.isPresent()) {
                return answer(template.routes(), request.with(found.get()));
            }
        }
        throw Problem.notFound("there is nothing at " + request.path());
    }

    private static Reply answer(Map<String, Route> routes, Request request) {
        String method = request.method().name();
        boolean reads = method.equals(GET) || method.equals(HEAD);
        Route route = routes.get(reads ? GET : method);
        if (route == null) {
            Set<String> allowed = new HashSet<>(routes.keySet());
            if (allowed.contains(GET)) {
                allowed.add(HEAD);
            }
            throw Problem.methodNotAllowed(allowed);
        }
        return reads ? read(route, request) : write(route, request);
    }

    /**
     * A page from elsewhere cannot send JSON without asking first, and the answer is no. What it can send without asking is
     * of other types, which forms always name; {@link RequestGuard} refuses the rest. Who is let in by a cookie has to repeat
     * what only the page of this origin can have read.
     */
    private static Reply write(Route writer, Request request) {
        permit(writer, request);
        if (writer.role().isPresent()) {
            checkCsrf(request);
        }
        Optional<String> type = request.header(HttpHeaderNames.CONTENT_TYPE);
        boolean untyped = type.isEmpty() && request.body().length == 0 && !writer.needsBody();
        if (!untyped && !type.orElse("").split(";", 2)[0].trim().equalsIgnoreCase("application/json")) {
            throw Problem.of(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json");
        }
        return writer.handler().handle(request);
    }

    private static Reply read(Route reader, Request request) {
        permit(reader, request);
        return reader.handler().handle(request);
    }

    private static void permit(Route route, Request request) {
        if (route.role().isEmpty()) {
            return;
        }
        Role needed = route.role().get();
        Role role = request.caller()
                .role()
                .orElseThrow(() -> Problem.unauthorized("this needs a login or a valid bearer token"));
        if (!role.covers(needed)) {
            throw Problem.of(
                    HttpResponseStatus.FORBIDDEN,
                    "this needs the role " + needed.name().toLowerCase(Locale.ROOT) + ", and "
                            + request.caller().name().orElse("the caller") + " has "
                            + role.name().toLowerCase(Locale.ROOT));
        }
    }

    private static void checkCsrf(Request request) {
        Optional<String> expected = request.caller().csrf();
        if (expected.isPresent()
                && !isSame(expected.get(), request.header(CSRF_HEADER).orElse(""))) {
            throw Problem.of(
                    HttpResponseStatus.FORBIDDEN, CSRF_HEADER + " is not that of the session, see /api/v1/session");
        }
    }

    private static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    /** @param role absent if it is open to everybody */
    private record Route(Handler handler, Optional<Role> role, boolean needsBody) {}

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
            try {
                return QueryStringDecoder.decodeComponent(segment);
            } catch (IllegalArgumentException e) {
                throw Problem.badRequest("the path is not well encoded");
            }
        }
    }
}
