package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The named locations of a server, such as {@code location @app}. In nginx, a location with {@code try_files $uri @app}
 * uses the named location for requests that match no file. Ballast's action {@code files} has no fallback to a pool, so
 * the importer uses the named location for all requests.
 */
final class NginxNamed {

    private static final String TRY_FILES = "try_files";

    private final Map<String, Directive> locations = new HashMap<>();
    private final ImportReport report;

    NginxNamed(Directive server, ImportReport report) {
        this.report = report;
        server.block().stream()
                .filter(NginxNamed::isNamedLocation)
                .forEach(named -> locations.put(named.word(1), named));
    }

    /** Returns whether the directive is a named location. */
    static boolean isNamedLocation(Directive directive) {
        return directive.name().equals("location")
                && directive.words().size() == 2
                && directive.word(1).startsWith("@");
    }

    /** Returns the named location that serves the requests of a location. */
    Optional<Directive> namedLocationOf(Directive location) {
        return location.block().stream()
                .filter(directive -> directive.name().equals(TRY_FILES))
                .findFirst()
                .flatMap(tried -> {
                    String last = tried.word(tried.words().size() - 1);
                    Optional<Directive> named = Optional.ofNullable(locations.get(last));
                    named.ifPresent(found -> {
                        report.addChanged(tried, "files have no fallback to a pool; all requests go to " + last);
                        report.addSame(found);
                    });
                    return named;
                });
    }

    /** Reports named locations that are not used. */
    void reportUnused() {
        locations.values().stream()
                .filter(named -> !report.isReported(named))
                .forEach(named ->
                        report.addUnsupported(named, "not converted: no location refers to this named location"));
    }
}
