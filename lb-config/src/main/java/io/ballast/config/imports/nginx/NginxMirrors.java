package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts {@code mirror} and the internal location that it names to a policy. */
final class NginxMirrors {

    private static final String REQUEST_URI = "$request_uri";

    private final ImportedConfig config;
    private final ImportReport report;

    NginxMirrors(ImportedConfig config, ImportReport report) {
        this.config = config;
        this.report = report;
    }

    /**
     * Returns the names of the policies that mirror the requests of a location.
     *
     * @param server the scope of the server, which contains the locations of mirrors
     * @param serving the pool that serves the requests
     */
    List<String> policies(NginxScope server, NginxScope scope, NginxPools pools, String serving) {
        List<String> names = new ArrayList<>();
        for (Directive mirror : scope.all("mirror")) {
            try {
                if (!mirror.word(1).equals("off")) {
                    names.add(policy(pool(mirror.word(1), server, pools), scope, serving));
                }
                report.addSame(mirror);
            } catch (UntranslatableException e) {
                report.addUnsupported(mirror, e.nearest());
            }
        }
        return names;
    }

    private String policy(String pool, NginxScope scope, String serving) throws UntranslatableException {
        if (pool.equals(serving)) {
            throw new UntranslatableException("a mirror policy cannot use the pool that serves the request");
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("pool", pool);
        Optional<Directive> body = scope.last("mirror_request_body");
        if (body.filter(directive -> directive.word(1).equals("off")).isPresent()) {
            settings.put("max_body", "0B");
            report.addChanged(body.get(), "requests with a body are not mirrored");
        } else {
            body.ifPresent(report::addSame);
        }
        return config.policy("mirror-" + pool, Map.of("mirror", settings));
    }

    /** Returns the pool of the internal location with a path. */
    private String pool(String path, NginxScope server, NginxPools pools) throws UntranslatableException {
        Directive location = server.blocks().get(server.blocks().size() - 1).stream()
                .filter(directive -> directive.words().equals(List.of("location", path))
                        || directive.words().equals(List.of("location", "=", path)))
                .findFirst()
                .orElseThrow(
                        () -> new UntranslatableException("no location has exactly this path; use a mirror policy"));
        Directive pass = location.block().stream()
                .filter(directive -> directive.name().equals("proxy_pass"))
                .findFirst()
                .orElseThrow(() -> new UntranslatableException("its location has no proxy_pass; use a mirror policy"));
        if (!pass.word(1).endsWith(REQUEST_URI)) {
            throw new UntranslatableException(
                    "a mirror policy keeps the path of the request; only proxy_pass with $request_uri is supported");
        }
        String target = pass.word(1).substring(0, pass.word(1).length() - REQUEST_URI.length());
        Directive fixed = new Directive(pass.file(), pass.line(), List.of("proxy_pass", target), List.of());
        String pool = pools.http(fixed, server.within(location)).pool();
        location.block().stream()
                .filter(directive ->
                        !report.isReported(directive) && !directive.name().equals("internal"))
                .forEach(directive ->
                        report.addChanged(directive, "the mirror gets the same request and headers as the backend"));
        return pool;
    }
}
