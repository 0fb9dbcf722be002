package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedRoute;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The access rules of a location: {@code allow} and {@code deny}; the first rule that matches the client applies. */
final class NginxAccess {

    private static final String ALL = "all";

    private final List<Directive> rules;
    private final ImportReport report;

    private NginxAccess(List<Directive> rules, ImportReport report) {
        this.rules = rules;
        this.report = report;
    }

    static NginxAccess of(NginxScope scope, ImportReport report) {
        return new NginxAccess(scope.all("allow", "deny"), report);
    }

    /** Returns whether all clients are denied. */
    boolean deniesEverybody() {
        return !rules.isEmpty() && !allows(rules.get(0)) && isForAll(rules.get(0));
    }

    /**
     * Returns the routes of a location: one route for each network in the rules, and a route for all other
     * clients.
     */
    List<ImportedRoute> routes(ImportedConditions match, Map<String, Object> action, Directive location) {
        List<ImportedRoute> routes = new ArrayList<>();
        Map<String, Object> last = action;
        boolean decided = false;
        for (Directive rule : rules) {
            Map<String, Object> done = allows(rule) ? action : denied(action);
            if (decided) {
                report.addChanged(rule, "left out: never reached, because an earlier rule applies to all clients");
            } else if (isForAll(rule)) {
                decided = true;
                last = done;
                report.addSame(rule);
            } else if (rule.word(1).equals("unix:")) {
                report.addUnsupported(rule, "clients of a Unix socket have no address; use a separate listener");
            } else {
                match.and(ImportedConditions.other("client", List.of(network(rule))))
                        .orElseThrow() // a path and a network can always be combined
                        .forEach(both -> routes.add(ImportedRoute.of(both, done, location)));
                report.addSame(rule);
            }
        }
        routes.add(ImportedRoute.of(match, last, location));
        return routes;
    }

    private static boolean allows(Directive rule) {
        return rule.name().equals("allow");
    }

    private static boolean isForAll(Directive rule) {
        return rule.word(1).equals(ALL);
    }

    private static String network(Directive rule) {
        String text = rule.word(1);
        return text.contains("/") ? text : text + (text.contains(":") ? "/128" : "/32");
    }

    /** Returns an action that answers 403, with the response headers of the location. */
    private static Map<String, Object> denied(Map<String, Object> action) {
        Map<String, Object> denied = new LinkedHashMap<>();
        denied.put("respond", Map.of("status", 403));
        if (action.get("headers") instanceof Map<?, ?> headers && headers.containsKey("response")) {
            denied.put("headers", Map.of("response", headers.get("response")));
        }
        return denied;
    }
}
