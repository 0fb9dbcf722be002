package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.ImportedPath;
import io.ballast.config.imports.ImportedRoute;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One {@code server} block of a listener. Translates it to routes for its server names, in the order in which
 * nginx tests locations.
 */
final class NginxServer {

    private final Directive block;
    private final NginxScope scope;
    private final boolean isDefault;
    private final boolean isTls;
    private final String port;
    private final ImportedListener listener;
    private final NginxPools pools;
    private final NginxErrorPages errorPages;
    private final NginxPolicies policies;
    private final NginxFiles files;
    private final ImportReport report;

    NginxServer(
            Directive block,
            NginxScope scope,
            boolean isDefault,
            boolean isTls,
            String port,
            ImportedListener listener,
            NginxPools pools,
            NginxErrorPages errorPages,
            NginxPolicies policies,
            NginxFiles files,
            ImportReport report) {
        this.block = block;
        this.scope = scope;
        this.isDefault = isDefault;
        this.isTls = isTls;
        this.port = port;
        this.listener = listener;
        this.pools = pools;
        this.errorPages = errorPages;
        this.policies = policies;
        this.files = files;
        this.report = report;
    }

    /** How a location is compared with the path, in order of precedence. */
    private enum Kind {
        EXACT,
        DECIDING_PREFIX,
        REGEX,
        PREFIX
    }

    private record Location(Directive directive, Kind kind, String path, ImportedPath condition) {}

    void run() {
        List<ImportedConditions> hosts = hosts();
        List<Location> locations = locations();
        boolean servesAll = false;
        NginxVariables known = new NginxVariables(isTls, port, firstName());
        NginxNamed named = new NginxNamed(block, report);
        NginxActions actions =
                new NginxActions(scope, known, named, listener, pools, errorPages, policies, files, report);
        for (ImportedRoute route : actions.ofServer(block)) {
            add(hosts, route);
            servesAll |= route.match().equals(ImportedConditions.ALL);
        }
        if (servesAll) {
            locations.forEach(
                    location -> report.addChanged(location.directive, "never reached: the server block returns first"));
            return;
        }
        for (Location location : locations) {
            slashRedirect(location, locations).ifPresent(route -> add(hosts, route));
            for (ImportedRoute route : actions.ofLocation(location.directive, location.condition, location.path)) {
                add(hosts, route);
                servesAll |= route.match().equals(ImportedConditions.ALL);
            }
        }
        if (!servesAll) {
            for (ImportedRoute route : named.namedLocationOf(block)
                    .map(app -> actions.ofLocation(app, ImportedPath.ANY, "/"))
                    .orElseGet(() -> actions.ofRest(block))) {
                add(hosts, route);
                servesAll |= route.match().equals(ImportedConditions.ALL);
            }
        }
        named.reportUnused();
        if (!servesAll) {
            // Without this route, the default server would serve requests that match no location.
            add(hosts, ImportedRoute.of(ImportedConditions.ALL, Map.of("respond", Map.of("status", 404)), block));
            report.addChanged(
                    block,
                    "requests that match no location get 404, because the server block has no directory with files");
        }
    }

    private void add(List<ImportedConditions> hosts, ImportedRoute route) {
        for (ImportedConditions host : hosts) {
            Optional<List<ImportedConditions>> both = host.and(route.match());
            for (ImportedConditions match : both.orElse(List.of())) {
                listener.routes().add(new ImportedRoute(match, List.of(), route.action(), route.directive()));
            }
        }
    }

    private String firstName() {
        return block.block().stream()
                .filter(directive -> directive.name().equals("server_name"))
                .map(names -> names.word(1))
                .findFirst()
                .orElse("");
    }

    private List<ImportedConditions> hosts() {
        List<ImportedConditions> hosts = new ArrayList<>();
        for (Directive names : scope.blocks().get(scope.blocks().size() - 1)) {
            if (!names.name().equals("server_name")) {
                continue;
            }
            report.addSame(names);
            for (String name : names.arguments()) {
                host(names, name.toLowerCase(Locale.ROOT), hosts);
            }
        }
        return isDefault ? List.of(ImportedConditions.ALL) : hosts;
    }

    private void host(Directive names, String name, List<ImportedConditions> hosts) {
        if (name.isEmpty() || name.equals("_")) {
            return;
        }
        if (name.matches("\\.[a-z0-9_.-]+")) {
            hosts.add(ImportedConditions.host(name.substring(1)));
            hosts.add(ImportedConditions.host("*" + name));
        } else if (name.matches("(\\*\\.)?[a-z0-9_-]+(\\.[a-z0-9_-]+)*")) {
            hosts.add(ImportedConditions.host(name));
        } else if (!isDefault) {
            report.addUnsupported(names, "unsupported host pattern (supported: an exact name or '*.suffix'): " + name);
        }
    }

    private List<Location> locations() {
        List<Location> locations = new ArrayList<>();
        for (Directive directive : block.block()) {
            if (directive.name().equals("location")
                    && !NginxNamed.isNamedLocation(directive)
                    && !errorPages.isPage(directive)) {
                try {
                    locations.add(location(directive));
                } catch (UntranslatableException e) {
                    report.addUnsupported(directive, e.nearest());
                }
            }
        }
        Comparator<Location> order = Comparator.comparing(Location::kind);
        locations.sort(order.thenComparingInt(location -> location.kind == Kind.REGEX ? 0 : -location.path.length()));
        return locations;
    }

    private Location location(Directive directive) throws UntranslatableException {
        String modifier = directive.words().size() > 2 ? directive.word(1) : "";
        String path = directive.word(directive.words().size() - 1);
        switch (modifier) {
            case "=" -> {
                report.addSame(directive);
                return new Location(directive, Kind.EXACT, path, ImportedPath.exact(path));
            }
            case "~", "~*" -> {
                String regex = (modifier.equals("~*") ? "(?i)" : "") + ImportedPath.toFullMatchRegex(path);
                ImportedPath condition = ImportedPath.regex(regex);
                report.addSame(directive);
                return new Location(directive, Kind.REGEX, path, condition);
            }
            default -> {
                if (!path.startsWith("/")) {
                    throw new UntranslatableException(
                            "only paths that begin with / are supported; named locations have no equivalent");
                }
                Kind kind = modifier.equals("^~") ? Kind.DECIDING_PREFIX : Kind.PREFIX;
                boolean isExact = !path.endsWith("/") || (!path.equals("/") && !forwards(directive));
                if (isExact && !rewrites(directive)) {
                    report.addSame(directive);
                    return new Location(directive, kind, path, ImportedPath.textPrefix(path, /* ignoresCase= */ false));
                }
                segments(directive, path);
                return new Location(directive, kind, path, ImportedPath.prefix(path));
            }
        }
    }

    /**
     * Returns whether the location forwards to an application. In this case, nginx redirects the path without the
     * final slash to the path with the slash.
     */
    private static boolean forwards(Directive location) {
        return location.block().stream()
                .anyMatch(directive -> directive.name().matches("(proxy|fastcgi|uwsgi|scgi|grpc|memcached)_pass"));
    }

    /**
     * Returns the redirect that nginx sends from {@code /app} to a location {@code /app/} with a {@code
     * proxy_pass}.
     */
    private Optional<ImportedRoute> slashRedirect(Location location, List<Location> all) {
        String path = location.path;
        boolean isExact = all.stream().anyMatch(other -> other.kind == Kind.EXACT && (other.path + "/").equals(path));
        if (location.condition.kind() != ImportedPath.Kind.PREFIX
                || !path.endsWith("/")
                || !forwards(location.directive)
                || isExact) {
            return Optional.empty();
        }
        Map<String, Object> redirect = new LinkedHashMap<>();
        redirect.put("to", path);
        redirect.put("status", 301);
        String without = path.substring(0, path.length() - 1);
        return Optional.of(ImportedRoute.of(
                ImportedConditions.path(ImportedPath.exact(without)),
                Map.of("redirect", redirect),
                location.directive));
    }

    /** Returns whether a location rewrites the path; Ballast can rewrite only whole path segments. */
    private static boolean rewrites(Directive location) {
        return location.block().stream()
                .anyMatch(directive -> directive.name().matches("rewrite|alias")
                        || (directive.name().equals("proxy_pass")
                                && directive.word(1).matches("https?://[^/]+/.*")));
    }

    private void segments(Directive location, String path) {
        boolean isRedirected = path.endsWith("/") && forwards(location);
        String how = isRedirected
                ? path.replaceAll("/$", "") + " is redirected to " + path + ", without its query"
                : "matches whole path segments: " + path.replaceAll("/$", "") + " and all paths below it";
        boolean closes = location.block().stream()
                .anyMatch(directive -> directive.name().matches("deny|auth_basic|auth_request|limit_except"));
        if (closes && !path.endsWith("/")) {
            report.addUnsupported(location, how + "; other paths with this prefix are not protected");
        } else {
            report.addTranslated(location, path.equals("/") ? List.of() : List.of(how));
        }
    }
}
