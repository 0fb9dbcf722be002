package io.ballast.server.importer.nginx;

import io.ballast.server.importer.Conditions;
import io.ballast.server.importer.Directive;
import io.ballast.server.importer.ImportReport;
import io.ballast.server.importer.ImportedListener;
import io.ballast.server.importer.ImportedRoute;
import io.ballast.server.importer.NoEqualException;
import io.ballast.server.importer.PathCondition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One {@code server} of a listener: routes for its names, in the order in which nginx chooses a location. */
final class NginxServer {

    private final Directive block;
    private final NginxScope scope;
    private final boolean isDefault;
    private final boolean isTls;
    private final ImportedListener listener;
    private final NginxPools pools;
    private final ImportReport report;

    NginxServer(
            Directive block,
            NginxScope scope,
            boolean isDefault,
            boolean isTls,
            ImportedListener listener,
            NginxPools pools,
            ImportReport report) {
        this.block = block;
        this.scope = scope;
        this.isDefault = isDefault;
        this.isTls = isTls;
        this.listener = listener;
        this.pools = pools;
        this.report = report;
    }

    /** How a location is compared, in the order in which the kinds win. */
    private enum Kind {
        EXACT,
        DECIDING_PREFIX,
        REGEX,
        PREFIX
    }

    private record Location(Directive directive, Kind kind, String path, PathCondition condition) {}

    void run() {
        List<Conditions> hosts = hosts();
        List<Location> locations = locations();
        boolean servesAll = false;
        NginxActions actions = new NginxActions(scope, isTls, listener, pools, report);
        for (ImportedRoute route : actions.ofServer(block)) {
            add(hosts, route);
            servesAll |= route.match().equals(Conditions.ALL);
        }
        if (servesAll) {
            locations.forEach(location -> report.changed(location.directive, "the server returns before it"));
            return;
        }
        for (Location location : locations) {
            for (ImportedRoute route : actions.ofLocation(location.directive, location.condition, location.path)) {
                add(hosts, route);
                servesAll |= route.match().equals(Conditions.ALL);
            }
        }
        if (!servesAll) {
            // Otherwise the default server would serve what has no location here.
            add(hosts, ImportedRoute.of(Conditions.ALL, Map.of("respond", Map.of("status", 404)), block));
            report.changed(block, "404 for what no location takes: there are no files here");
        }
    }

    private void add(List<Conditions> hosts, ImportedRoute route) {
        for (Conditions host : hosts) {
            Optional<List<Conditions>> both = host.and(route.match());
            for (Conditions match : both.orElse(List.of())) {
                listener.routes().add(new ImportedRoute(match, List.of(), route.action(), route.from()));
            }
        }
    }

    private List<Conditions> hosts() {
        List<Conditions> hosts = new ArrayList<>();
        for (Directive names : scope.blocks().get(scope.blocks().size() - 1)) {
            if (!names.name().equals("server_name")) {
                continue;
            }
            report.same(names);
            for (String name : names.arguments()) {
                host(names, name.toLowerCase(Locale.ROOT), hosts);
            }
        }
        return isDefault ? List.of(Conditions.ALL) : hosts;
    }

    private void host(Directive names, String name, List<Conditions> hosts) {
        if (name.isEmpty() || name.equals("_")) {
            return;
        }
        if (name.matches("\\.[a-z0-9_.-]+")) {
            hosts.add(Conditions.host(name.substring(1)));
            hosts.add(Conditions.host("*" + name));
        } else if (name.matches("(\\*\\.)?[a-z0-9_-]+(\\.[a-z0-9_-]+)*")) {
            hosts.add(Conditions.host(name));
        } else if (!isDefault) {
            report.noEqual(names, "host: an exact name or '*.suffix' instead of " + name);
        }
    }

    private List<Location> locations() {
        List<Location> locations = new ArrayList<>();
        for (Directive directive : block.block()) {
            if (directive.name().equals("location")) {
                try {
                    locations.add(location(directive));
                } catch (NoEqualException e) {
                    report.noEqual(directive, e.nearest());
                }
            }
        }
        Comparator<Location> order = Comparator.comparing(Location::kind);
        locations.sort(order.thenComparingInt(location -> location.kind == Kind.REGEX ? 0 : -location.path.length()));
        return locations;
    }

    private Location location(Directive directive) throws NoEqualException {
        String modifier = directive.words().size() > 2 ? directive.word(1) : "";
        String path = directive.word(directive.words().size() - 1);
        switch (modifier) {
            case "=" -> {
                report.same(directive);
                return new Location(directive, Kind.EXACT, path, PathCondition.exact(path));
            }
            case "~", "~*" -> {
                String regex = (modifier.equals("~*") ? "(?i)" : "") + PathCondition.anywhere(path);
                PathCondition condition = PathCondition.regex(regex);
                report.same(directive);
                return new Location(directive, Kind.REGEX, path, condition);
            }
            default -> {
                if (!path.startsWith("/")) {
                    throw new NoEqualException("a path that begins with /; named locations have no equal");
                }
                Kind kind = modifier.equals("^~") ? Kind.DECIDING_PREFIX : Kind.PREFIX;
                if (!path.endsWith("/") && !rewrites(directive)) {
                    report.same(directive);
                    return new Location(directive, kind, path, PathCondition.start(path, /* ignoresCase= */ false));
                }
                segments(directive, path);
                return new Location(directive, kind, path, PathCondition.prefix(path));
            }
        }
    }

    /** A part of a path can be taken away or replaced only by whole segments. */
    private static boolean rewrites(Directive location) {
        return location.block().stream()
                .anyMatch(directive -> directive.name().equals("rewrite")
                        || (directive.name().equals("proxy_pass")
                                && directive.word(1).matches("https?://[^/]+/.*")));
    }

    private void segments(Directive location, String path) {
        String how = "by whole segments: " + path.replaceAll("/$", "") + " and what is below";
        boolean closes = location.block().stream()
                .anyMatch(directive -> directive.name().matches("deny|auth_basic|auth_request|limit_except"));
        if (closes && !path.endsWith("/")) {
            report.noEqual(location, how + "; what else begins so is not closed");
        } else {
            report.translated(location, path.equals("/") ? List.of() : List.of(how));
        }
    }
}
