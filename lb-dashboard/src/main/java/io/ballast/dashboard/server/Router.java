package io.ballast.dashboard.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the handler of a request by its path. A route answers GET and HEAD, or POST, or both, and nothing else.
 *
 * <p>Thread safety: routes are added before the server starts; after that it is only read.
 */
public final class Router {

    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final Set<String> WRITING = Set.of("POST");
    private static final Set<String> BOTH = Set.of("GET", "HEAD", "POST");

    private final Map<String, Handler> exact = new LinkedHashMap<>();
    private final Map<String, Writer> writing = new LinkedHashMap<>();
    private final List<Template<Handler>> templates = new ArrayList<>();
    private final List<Template<Writer>> writingTemplates = new ArrayList<>();

    /** Adds a route for exactly this path, or for a template in which {@code {name}} stands for one segment. */
    public Router get(String path, Handler handler) {
        if (path.indexOf('{') >= 0) {
            templates.add(new Template<>(List.of(path.split("/")), handler));
            return this;
        }
        exact.put(path, handler);
        return this;
    }

    /** Adds a route for exactly this path, which takes a body of JSON. */
    public Router post(String path, Handler handler) {
        writing.put(path, new Writer(handler, /* needsBody= */ true));
        return this;
    }

    /** Adds a route for exactly this path, or for a template, that POST has do something; it needs no body. */
    public Router command(String path, Handler handler) {
        Writer writer = new Writer(handler, /* needsBody= */ false);
        if (path.indexOf('{') >= 0) {
            writingTemplates.add(new Template<>(List.of(path.split("/")), writer));
            return this;
        }
        writing.put(path, writer);
        return this;
    }

    /** Has the request answered; throws {@link Problem} 404 or 405 when nothing here does. */
    Reply route(Request request) {
        Writer writer = writing.get(request.path());
        Handler handler = exact.get(request.path());
        if (writer != null && WRITING.contains(request.method().name())) {
            return write(writer, request);
        }
        if (writer != null && handler == null) {
            throw Problem.methodNotAllowed(WRITING);
        }
        if (handler != null) {
            return answer(handler, request, writer == null ? READING : BOTH);
        }
        List<String> segments = List.of(request.path().split("/", /* limit= */ -1));
        for (Template<Handler> template : templates) {
            Optional<Map<String, String>> found = template.match(segments);
            if (found.isPresent()) {
                return answer(template.target(), request.with(found.get()), READING);
            }
        }
        for (Template<Writer> template : writingTemplates) {
            Optional<Map<String, String>> found = template.match(segments);
            if (found.isPresent() && !WRITING.contains(request.method().name())) {
                throw Problem.methodNotAllowed(WRITING);
            }
            if (found.isPresent()) {
                return write(template.target(), request.with(found.get()));
            }
        }
        throw Problem.notFound("there is nothing at " + request.path());
    }

    /**
     * A page from elsewhere cannot send JSON without asking first, and the answer is no. What it can send without asking is
     * of other types, which forms always name; {@link RequestGuard} refuses the rest.
     */
    private static Reply write(Writer writer, Request request) {
        Optional<String> type = request.header(HttpHeaderNames.CONTENT_TYPE);
        boolean untyped = type.isEmpty() && request.body().length == 0 && !writer.needsBody();
        if (!untyped && !type.orElse("").split(";", 2)[0].trim().equalsIgnoreCase("application/json")) {
            throw Problem.of(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json");
        }
        return writer.handler().handle(request);
    }

    private static Reply answer(Handler handler, Request request, Set<String> allowed) {
        HttpMethod method = request.method();
        if (!READING.contains(method.name())) {
            throw Problem.methodNotAllowed(allowed);
        }
        return handler.handle(request);
    }

    private record Writer(Handler handler, boolean needsBody) {}

    private record Template<T>(List<String> segments, T target) {

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
