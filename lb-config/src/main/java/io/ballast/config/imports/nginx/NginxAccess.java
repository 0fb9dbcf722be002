package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedRoute;
import io.ballast.core.net.Cidr;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The access rules of a location: {@code allow} and {@code deny}; the first rule that matches the client applies. */
final class NginxAccess {

    private static final String ALL = "all";

    private final List<Directive> rules;
    private final ImportReport report;

    private NginxAccess(List<Directive> rules, ImportReport report) {
        this.rules = rules;
        this.report = report;
    }

    /**
     * Returns the rules that can apply. Reports rules that cannot apply, because they follow a rule for all clients.
     */
    static NginxAccess of(NginxScope scope, ImportReport report) {
        List<Directive> rules = new ArrayList<>();
        boolean decided = false;
        for (Directive rule : scope.all("allow", "deny")) {
            if (decided) {
                report.addChanged(rule, "ignored: never reached, because an earlier rule applies to all clients");
                continue;
            }
            rules.add(rule);
            decided = isForAll(rule);
        }
        return new NginxAccess(rules, report);
    }

    boolean isEmpty() {
        return rules.isEmpty();
    }

    /** Returns whether all clients are denied. */
    boolean deniesAll() {
        return !rules.isEmpty() && !allows(rules.get(0)) && isForAll(rules.get(0));
    }

    /**
     * Returns policies that together have the effect of the rules. Each sequence of {@code deny} becomes a policy that
     * allows all networks of the {@code allow} rules before it.
     */
    List<String> policies(ImportedConfig config) {
        List<String> policies = new ArrayList<>();
        List<String> allowed = new ArrayList<>();
        List<String> denied = new ArrayList<>();
        for (Directive rule : rules) {
            if (isForAll(rule)) {
                report.addSame(rule);
                if (!allows(rule)) {
                    policies.add(policy(config, allowed, ALL));
                    return policies;
                }
                break;
            }
            Optional<String> network = network(rule);
            if (network.isEmpty()) {
                continue;
            }
            if (!allows(rule)) {
                denied.add(network.get());
                continue;
            }
            if (!denied.isEmpty()) {
                policies.add(policy(config, allowed, List.copyOf(denied)));
                denied.clear();
            }
            allowed.add(network.get());
        }
        if (!denied.isEmpty()) {
            policies.add(policy(config, allowed, denied));
        }
        return policies;
    }

    private static String policy(ImportedConfig config, List<String> allowed, Object denied) {
        Map<String, Object> lists = new LinkedHashMap<>();
        if (!allowed.isEmpty()) {
            lists.put("allow", List.copyOf(allowed));
        }
        lists.put("deny", denied);
        return config.policy("addresses", Map.of("ip", lists));
    }

    /**
     * Returns the routes of a location with {@code satisfy any}: allowed clients need no authentication, and all other
     * clients do.
     *
     * @param open the action without authentication
     * @param closed the action with authentication
     */
    List<ImportedRoute> alternatives(
            ImportedConditions match, Map<String, Object> open, Map<String, Object> closed, Directive location) {
        List<ImportedRoute> routes = new ArrayList<>();
        Map<String, Object> last = closed;
        for (Directive rule : rules) {
            Map<String, Object> action = allows(rule) ? open : closed;
            if (isForAll(rule)) {
                last = action;
                report.addSame(rule);
                continue;
            }
            network(rule)
                    .flatMap(network -> match.and(ImportedConditions.other("client", List.of(network))))
                    .ifPresent(all -> all.forEach(both -> routes.add(ImportedRoute.of(both, action, location))));
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

    /** Returns the network of a rule; reports rules without a network. */
    private Optional<String> network(Directive rule) {
        if (rule.word(1).equals("unix:")) {
            report.addUnsupported(rule, "clients of a Unix socket have no address; use a separate listener");
            return Optional.empty();
        }
        try {
            String network = Cidr.parseLeniently(rule.word(1)).toString();
            report.addSame(rule);
            return Optional.of(network);
        } catch (IllegalArgumentException e) {
            report.addUnsupported(rule, "unsupported value (expected: an address or a network such as 10.0.0.0/8)");
            return Optional.empty();
        }
    }
}
