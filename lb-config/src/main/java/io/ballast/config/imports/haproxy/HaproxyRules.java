package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.ImportedPath;
import io.ballast.config.imports.ImportedRoute;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Translates the rules of a frontend in HAProxy's order: {@code http-request}, redirects, backends. */
final class HaproxyRules {

    private static final Set<String> STATUSES = Set.of("301", "302", "303", "307", "308");

    private final HaproxySection section;
    private final Set<String> pools;
    private final HaproxyBind bind;
    private final ImportedListener listener;
    private final HaproxyAcls acls;
    private final HaproxyPolicies policies;
    private final ImportReport report;

    HaproxyRules(
            HaproxySection section,
            Set<String> pools,
            HaproxyBind bind,
            ImportedListener listener,
            HaproxyAcls acls,
            HaproxyPolicies policies,
            ImportReport report) {
        this.section = section;
        this.pools = pools;
        this.bind = bind;
        this.listener = listener;
        this.acls = acls;
        this.policies = policies;
        this.report = report;
    }

    void run() {
        section.all().filter(rule -> rule.name().equals("monitor-uri")).forEach(rule -> {
            listener.routes()
                    .add(ImportedRoute.of(
                            ImportedConditions.path(ImportedPath.exact(rule.word(1))),
                            Map.of("respond", Map.of("status", 200)),
                            rule));
            report.addChanged(rule, "the response has an empty body");
        });
        for (String name : new String[] {"http-request", "redirect", "use_backend"}) {
            section.all().filter(rule -> rule.name().equals(name)).forEach(this::rule);
        }
        section.last("default_backend").ifPresentOrElse(this::defaultBackend, this::addFallbackRoute);
        policies.apply();
    }

    private void rule(Directive rule) {
        try {
            if (rule.name().equals("http-request") && HaproxyHeaders.isHeaderRule(rule)) {
                header(rule);
                return;
            }
            if (!listener.isHttp() && !rule.name().equals("use_backend")) {
                throw new UntranslatableException("");
            }
            if (policies.convert(rule)) {
                return;
            }
            List<String> notes = new ArrayList<>();
            Map<String, Object> action = action(rule, notes);
            for (HaproxyAcls.Expanded part : acls.expand(HaproxyHeaders.condition(rule), bind, notes)) {
                for (ImportedConditions match : part.conditions()) {
                    listener.routes().add(new ImportedRoute(match, part.exceptions(), action, rule));
                }
            }
            report.addTranslated(rule, notes);
        } catch (UntranslatableException e) {
            report.addUnsupported(rule, e.nearest());
        }
    }

    private Map<String, Object> action(Directive rule, List<String> notes) throws UntranslatableException {
        if (rule.name().equals("use_backend")) {
            return Map.of("pool", pool(rule.word(1)));
        }
        if (rule.name().equals("redirect")) {
            return redirect(rule, 1, notes);
        }
        return switch (rule.word(1)) {
            case "redirect" -> redirect(rule, 2, notes);
            case "deny" -> respond(rule, 403);
            case "return" -> respond(rule, 200);
            default -> throw new UntranslatableException(nearest(rule.word(1)));
        };
    }

    private static String nearest(String action) {
        return switch (action) {
            case "set-path", "replace-path", "set-uri", "replace-uri" -> "use 'rewrite' of a route";
            case "tarpit", "reject", "silent-drop" -> "use 'respond' of a route";
            default -> "";
        };
    }

    private String pool(String name) throws UntranslatableException {
        if (!pools.contains(name)) {
            throw new UntranslatableException("unknown backend (expected: the name of a backend in the file)");
        }
        return name;
    }

    private static Map<String, Object> redirect(Directive rule, int at, List<String> notes)
            throws UntranslatableException {
        String target = rule.word(at + 1);
        String to =
                switch (rule.word(at)) {
                    case "scheme" -> target + "://$host$uri";
                    case "prefix" -> HaproxyFormat.location(target) + "$uri";
                    case "location" -> HaproxyFormat.location(target);
                    default ->
                        throw new UntranslatableException(
                                "unsupported redirect (supported: scheme, prefix or location)");
                };
        Map<String, Object> redirect = new LinkedHashMap<>();
        String status = "302";
        for (int i = at + 2; i < rule.words().size() && !rule.word(i).matches("if|unless"); i++) {
            switch (rule.word(i)) {
                case "code" -> status = rule.word(++i);
                case "drop-query" -> to = to.replace("$uri", "$path");
                default -> throw new UntranslatableException("unsupported redirect option: " + rule.word(i));
            }
        }
        if (!STATUSES.contains(status)) {
            throw new UntranslatableException("unsupported redirect status; supported: " + STATUSES);
        }
        if (rule.word(at).equals("scheme")) {
            notes.add("the port of the client's Host header is omitted");
        }
        redirect.put("to", to);
        redirect.put("status", Integer.valueOf(status));
        return Map.of("redirect", redirect);
    }

    private static Map<String, Object> respond(Directive rule, int defaultStatus) throws UntranslatableException {
        Map<String, Object> respond = new LinkedHashMap<>();
        respond.put("status", defaultStatus);
        for (int i = 2; i < rule.words().size() && !rule.word(i).matches("if|unless"); i++) {
            switch (rule.word(i)) {
                case "status", "deny_status" -> respond.put("status", HaproxyBind.number(rule.word(++i)));
                case "content-type" -> respond.put("content_type", rule.word(++i));
                case "string" -> respond.put("body", rule.word(++i));
                default -> throw new UntranslatableException("'respond' supports only a fixed text");
            }
        }
        return Map.of("respond", respond);
    }

    private void header(Directive rule) {
        if (!HaproxyHeaders.isForwarding(rule)) {
            HaproxyHeaders.write(
                    rule, HaproxyHeaders.scopeOf(rule, acls, bind), listener.options(), bind.variables(), report);
        }
    }

    private void defaultBackend(Directive rule) {
        try {
            listener.routes().add(ImportedRoute.toPool(ImportedConditions.ALL, pool(rule.word(1)), rule));
            report.addSame(rule);
        } catch (UntranslatableException e) {
            report.addUnsupported(rule, e.nearest());
        }
    }

    /**
     * Adds the last route for a section without a default backend: HAProxy answers 503, unless the section has
     * servers.
     */
    private void addFallbackRoute() {
        if (pools.contains(section.name()) && section.isBackend()) {
            listener.routes().add(ImportedRoute.toPool(ImportedConditions.ALL, section.name(), section.head()));
        } else if (listener.isHttp()) {
            listener.routes()
                    .add(ImportedRoute.of(
                            ImportedConditions.ALL, Map.of("respond", Map.of("status", 503)), section.head()));
        }
    }
}
