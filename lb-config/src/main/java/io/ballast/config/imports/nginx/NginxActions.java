package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedHeaderEdits;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.ImportedPath;
import io.ballast.config.imports.ImportedRoute;
import io.ballast.config.imports.Options;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates the actions of a server or a location into routes. */
final class NginxActions {

    private static final Pattern REWRITE_SOURCE = Pattern.compile("\\^(/[A-Za-z0-9_./-]*?)/?(?:\\(\\.\\*\\)\\$?)?");
    private static final Pattern TARGET = Pattern.compile("(https?://[^/$]+)?(/[A-Za-z0-9_./-]*?)/?(?:\\$1)?");

    private final NginxScope scope;
    private final NginxVariables variables;
    private final NginxNamed namedLocations;
    private final ImportedListener listener;
    private final NginxPools pools;
    private final NginxErrorPages errorPages;
    private final NginxPolicies policies;
    private final NginxFiles files;
    private final ImportReport report;

    NginxActions(
            NginxScope scope,
            NginxVariables known,
            NginxNamed named,
            ImportedListener listener,
            NginxPools pools,
            NginxErrorPages errorPages,
            NginxPolicies policies,
            NginxFiles files,
            ImportReport report) {
        this.scope = scope;
        this.variables = known;
        this.namedLocations = named;
        this.listener = listener;
        this.pools = pools;
        this.errorPages = errorPages;
        this.policies = policies;
        this.files = files;
        this.report = report;
    }

    /** Translates the directives of a {@code server} block whose actions apply to all of its locations. */
    List<ImportedRoute> ofServer(Directive server) {
        List<ImportedRoute> routes = new ArrayList<>();
        for (Directive directive : server.block()) {
            try {
                if (directive.name().equals("return")) {
                    Map<String, Object> action = new LinkedHashMap<>(answer(directive));
                    responseHeaders(scope, action);
                    routes.add(ImportedRoute.of(ImportedConditions.ALL, action, directive));
                    report.addSame(directive);
                } else if (directive.name().equals("rewrite")) {
                    routes.add(redirectRoute(directive));
                    report.addChanged(directive, "the rewrite replaces whole path segments");
                }
            } catch (UntranslatableException e) {
                report.addUnsupported(directive, e.nearest());
            }
        }
        return routes;
    }

    /** Returns the routes of a location; {@code path} is the path as written in the location. */
    List<ImportedRoute> ofLocation(Directive location, ImportedPath condition, String path) {
        Directive served = namedLocations.namedLocationOf(location).orElse(location);
        NginxScope inner = scope.within(served);
        for (Directive directive : location.block()) {
            if (directive.name().equals("location")) {
                report.addUnsupported(
                        directive, "nested locations are not supported; move the location next to the enclosing one");
            }
        }
        ImportedConditions match = ImportedConditions.path(condition);
        Optional<Directive> internal = location.block().stream()
                .filter(directive -> directive.name().equals("internal"))
                .findFirst();
        if (internal.isPresent()) {
            report.addSame(internal.get());
            return List.of(ImportedRoute.of(match, respond(404), location));
        }
        Map<String, Object> action = action(served, inner, condition, path);
        boolean returns = !action.isEmpty() && !action.containsKey("pool");
        boolean isDenied = action.isEmpty() && NginxAccess.of(inner, report).deniesAll();
        if (action.isEmpty() && !isDenied) {
            files.addTo(served, inner, condition, path, action);
        }
        if (isDenied) {
            action.put("respond", Map.of("status", 403));
            inner.last("deny").ifPresent(report::addSame);
            returns = true;
        } else if (action.isEmpty()) {
            action.put("respond", Map.of("status", 404));
            report.addUnsupported(location, "no pool could be imported, so the route responds with 404");
        }
        // nginx also applies the access rules of a location that passes its requests to a named location.
        NginxScope access = served == location ? inner : scope.within(location).within(served);
        Set<Directive> copied = new HashSet<>();
        List<String> authentications = returns ? List.of() : policies.authentication(scope, access, copied);
        if (action.containsKey("pool")) {
            Options edits = new Options();
            new NginxForwarding(listener, variables, report).read(inner, edits, copied);
            edits.get("headers").ifPresent(headers -> action.put("headers", headers));
        }
        if (action.containsKey("pool") || action.containsKey("files")) {
            errorPages.addTo(inner, action);
        }
        responseHeaders(inner, action);
        if (returns) {
            policies.reportUnreached(served);
            return List.of(ImportedRoute.of(match, action, location));
        }
        List<String> further =
                action.get("pool") instanceof String pool ? policies.forwarding(scope, access, pools, pool) : List.of();
        return policies.routes(access, match, action, authentications, further, location);
    }

    /** Returns the routes for requests that match no location of a server: the files in its {@code root}. */
    List<ImportedRoute> ofRest(Directive server) {
        Map<String, Object> action = new LinkedHashMap<>();
        files.addTo(server, scope, ImportedPath.ANY, "/", action);
        if (action.isEmpty()) {
            return List.of();
        }
        List<String> authentications = policies.authentication(scope, scope, new HashSet<>());
        errorPages.addTo(scope, action);
        responseHeaders(scope, action);
        return policies.routes(scope, ImportedConditions.ALL, action, authentications, List.of(), server);
    }

    private static Map<String, Object> respond(int status) {
        return Map.of("respond", Map.of("status", status));
    }

    /** Returns the action for clients that the access rules allow; empty if Ballast has no equivalent. */
    private Map<String, Object> action(Directive location, NginxScope inner, ImportedPath condition, String path) {
        Map<String, Object> action = new LinkedHashMap<>();
        for (Directive directive : location.block()) {
            try {
                switch (directive.name()) {
                    case "return" -> {
                        action.putAll(answer(directive));
                        report.addSame(directive);
                        return action;
                    }
                    case "proxy_pass" -> {
                        NginxPools.Target target = pools.http(directive, inner);
                        rewrite(directive, target.uri(), condition, path, action);
                        action.put("pool", target.pool());
                        if (!report.isReported(directive)) {
                            report.addSame(directive);
                        }
                    }
                    case "rewrite" -> convertRewrite(directive, condition, action);
                    default -> {}
                }
            } catch (UntranslatableException e) {
                report.addUnsupported(directive, e.nearest());
            }
        }
        if (!action.containsKey("pool")) {
            action.clear();
        }
        return action;
    }

    /** Converts {@code proxy_pass http://b/v2/}, which replaces the location's path with the path of its URL. */
    private void rewrite(Directive pass, String uri, ImportedPath condition, String path, Map<String, Object> action)
            throws UntranslatableException {
        if (uri.isEmpty() || (uri.equals("/") && path.equals("/"))) {
            return;
        }
        if (condition.kind() == ImportedPath.Kind.REGEX) {
            throw new UntranslatableException("a path rewrite requires a route with path or path_exact");
        }
        if (condition.kind() == ImportedPath.Kind.PREFIX && uri.endsWith("/") != path.endsWith("/")) {
            report.addChanged(pass, "the rewrite replaces whole path segments and joins them by exactly one slash");
        }
        if (uri.equals("/") && condition.kind() != ImportedPath.Kind.ANY) {
            action.put("rewrite", Map.of("strip", condition.text()));
        } else {
            action.put("rewrite", Map.of("replace", uri));
        }
    }

    /** Converts {@code rewrite ^/api/(.*)$ /$1 break} before a {@code proxy_pass}. */
    private void convertRewrite(Directive rewrite, ImportedPath condition, Map<String, Object> action)
            throws UntranslatableException {
        Matcher from = REWRITE_SOURCE.matcher(rewrite.word(1));
        Matcher to = TARGET.matcher(rewrite.word(2));
        boolean rests = rewrite.word(1).contains("(.*)") && rewrite.word(2).endsWith("$1");
        if (!rewrite.word(3).matches("break|last")
                || !rests
                || !from.matches()
                || !to.matches()
                || to.group(1) != null
                || !condition.text().equals(from.group(1))) {
            throw new UntranslatableException(
                    "unsupported rewrite; use 'rewrite' of a route to strip or replace its path");
        }
        String replacement = String.valueOf(to.group(2));
        action.put(
                "rewrite",
                replacement.isEmpty() || replacement.equals("/")
                        ? Map.of("strip", condition.text())
                        : Map.of("replace", replacement));
        report.addSame(rewrite);
    }

    /** Converts {@code rewrite ^/old/(.*)$ /new/$1 permanent} of a server to a route that sends a redirect. */
    private ImportedRoute redirectRoute(Directive rewrite) throws UntranslatableException {
        int status =
                switch (rewrite.word(3)) {
                    case "permanent" -> 301;
                    case "redirect" -> 302;
                    default -> throw new UntranslatableException("unsupported rewrite; use 'rewrite' of a route");
                };
        Matcher from = REWRITE_SOURCE.matcher(rewrite.word(1));
        Matcher to = TARGET.matcher(rewrite.word(2));
        boolean rests = rewrite.word(1).contains("(.*)") && rewrite.word(2).endsWith("$1");
        if (!rests || !from.matches() || !to.matches()) {
            throw new UntranslatableException(
                    "unsupported redirect; use 'redirect' of a route together with 'rewrite'");
        }
        ImportedPath condition = ImportedPath.prefix(from.group(1));
        Map<String, Object> action = new LinkedHashMap<>();
        String replacement = to.group(2);
        String prefix = replacement.equals("/") ? "" : replacement;
        if (!prefix.equals(condition.text())) {
            action.put("rewrite", prefix.isEmpty() ? Map.of("strip", condition.text()) : Map.of("replace", prefix));
        }
        String origin = to.group(1) == null ? "" : to.group(1);
        action.put("redirect", redirect(origin + "$uri", status));
        return ImportedRoute.of(ImportedConditions.path(condition), action, rewrite);
    }

    private Map<String, Object> answer(Directive answer) throws UntranslatableException {
        String code = answer.word(1);
        if (!code.matches("[0-9]{3}")) {
            return Map.of("redirect", redirect(NginxValue.location(code, variables), 302));
        }
        int status = Integer.parseInt(code);
        if (status == 444) {
            throw new UntranslatableException(
                    "a connection cannot be closed without a response; use 'respond' with a status");
        }
        if (code.matches("30[12378]")) {
            return Map.of("redirect", redirect(NginxValue.location(answer.word(2), variables), status));
        }
        Map<String, Object> respond = new LinkedHashMap<>();
        respond.put("status", status);
        if (answer.words().size() > 2) {
            if (answer.word(2).contains("$")) {
                throw new UntranslatableException("'respond' supports only a fixed text");
            }
            respond.put("body", answer.word(2));
        }
        return Map.of("respond", respond);
    }

    private static Map<String, Object> redirect(String to, int status) {
        Map<String, Object> redirect = new LinkedHashMap<>();
        redirect.put("to", to);
        redirect.put("status", status);
        return redirect;
    }

    /** Converts the {@code add_header} directives of the innermost block that has any. */
    private void responseHeaders(NginxScope inner, Map<String, Object> action) {
        Options edits = new Options();
        ImportedHeaderEdits added = new ImportedHeaderEdits(edits, "response");
        for (Directive header : inner.all("add_header")) {
            try {
                if (!header.word(2).isEmpty()) { // nginx adds no header if the value is empty
                    added.add(header.word(1), NginxValue.header(variables.expand(header.word(2))));
                }
                List<String> notes = new ArrayList<>(NginxValue.notes(header.word(2)));
                if (!header.word(3).equals("always")) {
                    notes.add("the header is set in responses with any status");
                }
                report.addTranslated(header, notes);
            } catch (UntranslatableException e) {
                report.addUnsupported(header, e.nearest());
            }
        }
        inner.last("expires").ifPresent(expires -> expires(expires, added));
        edits.get("headers.response").ifPresent(response -> {
            Map<String, Object> headers = new LinkedHashMap<>();
            if (action.get("headers") instanceof Map<?, ?> before) {
                before.forEach((key, value) -> headers.put(key.toString(), value));
            }
            headers.put("response", response);
            action.put("headers", headers);
        });
    }

    private void expires(Directive expires, ImportedHeaderEdits headers) {
        String time = expires.word(1);
        try {
            if (time.equals("off")) {
                report.addSame(expires);
                return;
            }
            headers.set("Cache-Control", NginxValue.cacheControl(time));
            report.addChanged(expires, "only Cache-Control is set, without Expires, in responses with any status");
        } catch (UntranslatableException e) {
            report.addUnsupported(expires, e.nearest());
        }
    }
}
