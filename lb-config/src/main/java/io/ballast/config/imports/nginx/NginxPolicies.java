package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedRoute;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The policies of locations: access rules, limits, authentication, compression, cache and mirrors. */
final class NginxPolicies {

    private static final Set<String> ACCESS =
            Set.of("allow", "deny", "satisfy", "limit_req", "limit_conn", "auth_basic", "auth_request", "auth_jwt");

    private final ImportedConfig config;
    private final NginxLimits limits;
    private final NginxAuthentication authentication;
    private final NginxCompression compression;
    private final NginxCache cache;
    private final NginxMirrors mirrors;
    private final ImportReport report;

    NginxPolicies(Path base, ImportedConfig config, ImportReport report) {
        this.config = config;
        this.limits = new NginxLimits(config, report);
        this.authentication = new NginxAuthentication(base, config, report);
        this.compression = new NginxCompression(config, report);
        this.cache = new NginxCache(config, report);
        this.mirrors = new NginxMirrors(config, report);
        this.report = report;
    }

    /**
     * Returns the names of the policies for the authentication of a location; see {@link
     * NginxAuthentication#policies}.
     */
    List<String> authentication(NginxScope server, NginxScope scope, Set<Directive> copied) {
        return authentication.policies(server, scope, copied);
    }

    /**
     * Returns the names of the policies for requests that are forwarded.
     *
     * @param server the scope of the server, which contains the locations of mirrors
     * @param pool the pool that serves the requests
     */
    List<String> forwarding(NginxScope server, NginxScope scope, NginxPools pools, String pool) {
        List<String> names = new ArrayList<>();
        cache.policy(scope).ifPresent(names::add);
        names.addAll(mirrors.policies(server, scope, pools, pool));
        return names;
    }

    /**
     * Returns the routes of a location, with the policies of its scope.
     *
     * @param further the names of additional policies
     */
    List<ImportedRoute> routes(
            NginxScope scope,
            ImportedConditions match,
            Map<String, Object> action,
            List<String> authentications,
            List<String> further,
            Directive location) {
        NginxAccess access = NginxAccess.of(scope, report);
        List<String> others = limits.policies(scope);
        others.addAll(further);
        compression.policy(scope).ifPresent(others::add);
        boolean isAny = authentication.isAny(scope);
        if (isAny && !access.isEmpty() && !authentications.isEmpty()) {
            List<String> closed = new ArrayList<>(others);
            closed.addAll(authentications);
            return access.alternatives(match, with(others, action), with(closed, action), location);
        }
        List<String> all = new ArrayList<>(access.policies(config));
        all.addAll(others);
        all.addAll(authentications);
        return List.of(ImportedRoute.of(match, with(all, action), location));
    }

    private static Map<String, Object> with(List<String> policies, Map<String, Object> action) {
        if (policies.isEmpty()) {
            return action;
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("policies", List.copyOf(policies));
        all.putAll(action);
        return all;
    }

    /**
     * Reports that the rules in a location with {@code return} are ignored, because nginx evaluates {@code return}
     * first.
     */
    void reportUnreached(Directive location) {
        location.block().stream()
                .filter(directive -> ACCESS.contains(directive.name()))
                .forEach(directive -> report.addChanged(directive, "ignored: 'return' responds first"));
    }
}
