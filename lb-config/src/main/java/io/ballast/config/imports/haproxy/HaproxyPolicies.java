package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.ImportedRoute;
import io.ballast.config.imports.Options;
import io.ballast.config.imports.UntranslatableException;
import io.ballast.policy.config.BasicConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts the {@code http-request} rules of a listener that limit, authenticate and deny clients to policies. A rule
 * applies to the requests that later rules route, so its policy is added to their routes.
 */
final class HaproxyPolicies {

    private static final String CLOSED = "; until it is replaced, the policy 'closed' refuses these requests";

    private final HaproxySection section;
    private final HaproxyPolicySources sources;
    private final HaproxyBind bind;
    private final HaproxyAcls acls;
    private final ImportedListener listener;
    private final ImportedConfig config;
    private final ImportReport report;
    private final HaproxyCounters counters;
    private final List<Application> applications = new ArrayList<>();

    /**
     * A policy for some of the requests of later routes.
     *
     * @param from the number of routes before the rule; the policy does not apply to them
     */
    private record Application(Directive rule, int from, String policy, HaproxyAcls.Expanded requests) {

        boolean isForAll() {
            return HaproxyPolicies.isForAll(requests);
        }
    }

    HaproxyPolicies(
            HaproxySection section,
            HaproxyPolicySources sources,
            HaproxyBind bind,
            HaproxyAcls acls,
            ImportedListener listener,
            ImportedConfig config,
            ImportReport report) {
        this.section = section;
        this.sources = sources;
        this.bind = bind;
        this.acls = acls;
        this.listener = listener;
        this.config = config;
        this.report = report;
        this.counters = new HaproxyCounters(section, sources, report);
    }

    /** Creates a converter for the rules of a {@code backend}. The resulting policies belong to its pool. */
    static HaproxyPolicies ofPool(
            HaproxySection section, HaproxyPolicySources sources, ImportedConfig config, ImportReport report) {
        return new HaproxyPolicies(
                section,
                sources,
                new HaproxyBind(section.head(), ""),
                new HaproxyAcls(section, report),
                new ImportedListener(section.name(), "", "http"),
                config,
                report);
    }

    /**
     * Converts a rule to a policy.
     *
     * @return false if the rule cannot become a policy and must be converted in another way
     */
    boolean convert(Directive rule) throws UntranslatableException {
        if (!rule.name().equals("http-request")) {
            return false;
        }
        switch (rule.word(1)) {
            case "track-sc0", "track-sc1", "track-sc2" -> counters.track(rule);
            case "auth" -> authentication(rule);
            case "deny", "tarpit" -> {
                return rate(rule) || addresses(rule);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean rate(Directive rule) throws UntranslatableException {
        List<String> notes = new ArrayList<>();
        Optional<HaproxyAcls.Split> split =
                acls.split(HaproxyHeaders.condition(rule), HaproxyCounters::isRate, bind, notes);
        if (split.isEmpty()) {
            return false;
        }
        if (split.get().isNegated() || split.get().criteria().size() != 1) {
            throw new UntranslatableException("unsupported condition of a rate limit; use a rate_limit policy");
        }
        Map<String, Object> limit = counters.limit(split.get().criteria().get(0), notes);
        int status = rule.words().indexOf("deny_status");
        String code = status > 0 ? rule.word(status + 1) : rule.word(1).equals("deny") ? "403" : "500";
        if (!code.equals("429")) {
            notes.add("refused requests get 429 instead of " + code);
        }
        if (rule.word(1).equals("tarpit")) {
            notes.add("requests are refused immediately, not after the tarpit timeout");
        }
        HaproxyAcls.Expanded requests = split.get().rest();
        Optional<List<Object>> exempt = networks(requests.exceptions());
        if (exempt.isPresent() && !exempt.get().isEmpty()) {
            limit.put("exempt", exempt.get());
            requests = new HaproxyAcls.Expanded(requests.conditions(), List.of());
        }
        String name = config.policy("rate", Map.of("rate_limit", limit));
        Application application = new Application(rule, listener.routes().size(), name, requests);
        if (!application.isForAll()) {
            notes.add("only requests that match the other conditions of the rule are counted");
        }
        applications.add(application);
        report.addTranslated(rule, notes);
        return true;
    }

    /** Returns the networks if all conditions are about the client's address only. */
    private static Optional<List<Object>> networks(List<ImportedConditions> conditions) {
        List<Object> networks = new ArrayList<>();
        for (ImportedConditions condition : conditions) {
            Object client = condition.others().get("client");
            if (!(client instanceof List<?> list) || !condition.equals(ImportedConditions.other("client", client))) {
                return Optional.empty();
            }
            networks.addAll(list);
        }
        return Optional.of(networks);
    }

    /** Converts {@code deny} with a condition on the client's address, if files or no other conditions are involved. */
    private boolean addresses(Directive rule) throws UntranslatableException {
        boolean isPlain = rule.word(2).matches("if|unless")
                || (rule.word(2).equals("deny_status") && rule.word(3).equals("403"));
        if (!isPlain) {
            return false;
        }
        List<String> notes = new ArrayList<>();
        Optional<HaproxyAcls.Split> split =
                acls.split(HaproxyHeaders.condition(rule), HaproxyCriterion::isClientAddress, bind, notes);
        if (split.isEmpty()) {
            return false;
        }
        List<Object> entries = new ArrayList<>();
        boolean hasFiles = false;
        for (HaproxyCriterion criterion : split.get().criteria()) {
            entries.addAll(criterion.addresses());
            hasFiles |= !criterion.files().isEmpty();
        }
        HaproxyAcls.Expanded requests = split.get().rest();
        if (!hasFiles && !isForAll(requests)) {
            return false; // the caller adds a route with 'client', which is easier to read
        }
        Map<String, Object> lists = new LinkedHashMap<>();
        if (split.get().isNegated()) {
            lists.put("allow", entries);
        }
        lists.put("deny", split.get().isNegated() ? "all" : entries);
        String policy = config.policy("addresses", Map.of("ip", lists));
        applications.add(new Application(rule, listener.routes().size(), policy, requests));
        report.addTranslated(rule, notes);
        return true;
    }

    private static boolean isForAll(HaproxyAcls.Expanded requests) {
        return requests.conditions().contains(ImportedConditions.ALL)
                && requests.exceptions().isEmpty();
    }

    private void authentication(Directive rule) {
        List<String> notes = new ArrayList<>();
        HaproxyAcls.Expanded requests = new HaproxyAcls.Expanded(List.of(ImportedConditions.ALL), List.of());
        String policy;
        try {
            Optional<HaproxyAcls.Split> split = acls.split(
                    HaproxyHeaders.condition(rule),
                    criterion -> criterion.sample().equals("http_auth"),
                    bind,
                    notes);
            if (split.isEmpty() || !split.get().isNegated()) {
                throw new UntranslatableException(
                        "unsupported condition (expected: the users of one userlist, such as unless { http_auth(users) })");
            }
            requests = split.get().rest();
            Map<String, Object> settings = new LinkedHashMap<>();
            settings.put("users", sources.users(split.get().criteria().get(0).argument(), report));
            String realm = rule.word(2).equals("realm") ? rule.word(3) : section.name();
            if (realm.matches(BasicConfig.REALM)) {
                settings.put("realm", realm);
            }
            settings.put("forward_credentials", true);
            policy = config.policy("users", Map.of("basic", settings));
            report.addTranslated(rule, notes);
        } catch (UntranslatableException e) {
            report.addUnsupported(rule, e.nearest() + CLOSED);
            policy = config.closedPolicy();
        }
        applications.add(new Application(rule, listener.routes().size(), policy, requests));
    }

    /** Adds the policies to the listener or to its routes. Called when all rules of the listener are converted. */
    void apply() {
        for (int i = applications.size() - 1; i >= 0; i--) {
            Application application = applications.get(i);
            if (application.isForAll() && application.from == 0) {
                continue;
            }
            List<ImportedRoute> later = listener.routes()
                    .subList(application.from, listener.routes().size());
            List<ImportedRoute> changed = new ArrayList<>();
            later.forEach(route -> add(application, route, changed));
            later.clear();
            listener.routes().addAll(changed);
        }
        applications.stream()
                .filter(application -> application.isForAll() && application.from == 0)
                .forEach(application -> listener.options().addTo("policies", application.policy));
    }

    /**
     * Adds the policies to a pool. A policy that is meant only for some requests applies to all requests of the pool,
     * and the difference is reported.
     */
    void applyTo(Options pool) {
        for (Application application : applications) {
            pool.addTo("policies", application.policy);
            if (!application.isForAll()) {
                report.addUnsupported(
                        application.rule,
                        "the policy applies to all requests of the pool; use the policy on a route instead");
            }
        }
    }

    private void add(Application application, ImportedRoute route, List<ImportedRoute> routes) {
        ImportedRoute limited = with(application.policy, route);
        if (application.isForAll()) {
            routes.add(limited);
            return;
        }
        for (ImportedConditions condition : application.requests.conditions()) {
            Optional<List<ImportedConditions>> both = route.match().and(condition);
            if (both.isEmpty()) {
                report.addUnsupported(
                        application.rule,
                        "a single route cannot combine its conditions with those of line "
                                + route.directive().line() + "; the policy applies to all requests of that line");
                routes.add(limited);
                return;
            }
            List<ImportedConditions> exceptions = new ArrayList<>(route.exceptions());
            exceptions.addAll(application.requests.exceptions());
            both.get()
                    .forEach(match ->
                            routes.add(new ImportedRoute(match, exceptions, limited.action(), limited.directive())));
        }
        routes.add(route);
    }

    private static ImportedRoute with(String policy, ImportedRoute route) {
        Map<String, Object> action = new LinkedHashMap<>();
        List<Object> policies = new ArrayList<>(List.of(policy));
        if (route.action().get("policies") instanceof List<?> others) {
            others.stream().filter(other -> !other.equals(policy)).forEach(policies::add);
        }
        action.put("policies", policies);
        route.action().forEach(action::putIfAbsent);
        return new ImportedRoute(route.match(), route.exceptions(), action, route.directive());
    }
}
