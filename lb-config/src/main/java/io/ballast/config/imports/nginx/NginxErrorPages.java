package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.UntranslatableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Translates {@code error_page} and {@code proxy_intercept_errors} of one server to {@code error_pages} of its routes, if
 * the pages are files.
 */
final class NginxErrorPages {

    private final Directive server;
    private final NginxScope scope;
    private final Path base;
    private final ImportReport report;

    /** @param base the directory to which relative paths refer */
    NginxErrorPages(Directive server, NginxScope scope, Path base, ImportReport report) {
        this.server = server;
        this.scope = scope;
        this.base = base;
        this.report = report;
    }

    /** Adds the pages that apply in a location to the action of its route. */
    void addTo(NginxScope location, Map<String, Object> action) {
        Map<String, Object> pages = new LinkedHashMap<>();
        for (Directive directive : location.all("error_page")) {
            try {
                pages.putAll(pages(directive));
                report.addSame(directive);
            } catch (UntranslatableException e) {
                report.addUnsupported(directive, e.nearest());
            }
        }
        Optional<Directive> intercept = location.last("proxy_intercept_errors");
        intercept.ifPresent(report::addSame);
        if (pages.isEmpty()) {
            return;
        }
        if (intercept.filter(on -> on.word(1).equals("on")).isPresent()) {
            pages.put(
                    "intercept",
                    new ArrayList<Object>(
                            pages.keySet().stream().map(Integer::valueOf).toList()));
        }
        action.put("error_pages", pages);
    }

    private Map<String, Object> pages(Directive directive) throws UntranslatableException {
        List<String> words = new ArrayList<>(directive.arguments());
        String target = words.isEmpty() ? "" : words.remove(words.size() - 1);
        Optional<Integer> status = Optional.empty();
        if (!words.isEmpty() && words.get(words.size() - 1).startsWith("=")) {
            String sent = words.remove(words.size() - 1).substring(1);
            if (!sent.matches("20[0-3]|[45][0-9]{2}")) {
                throw new UntranslatableException(
                        "unsupported status of the response (supported: 200 to 203, and 400 to 599)");
            }
            status = Optional.of(Integer.valueOf(sent));
        }
        String file = file(target).toString();
        Map<String, Object> pages = new LinkedHashMap<>();
        for (String word : words) {
            if (!word.matches("[45][0-9]{2}")) {
                throw new UntranslatableException("error_pages supports only the statuses from 400 to 599");
            }
            Map<String, Object> page = new LinkedHashMap<>();
            page.put("html", file);
            status.ifPresent(sent -> page.put("status", sent));
            pages.put(word, page.size() > 1 ? page : file);
        }
        return pages;
    }

    /** Returns the file of a page: its path below the {@code root} of the location that serves it. */
    private Path file(String uri) throws UntranslatableException {
        if (!uri.matches("/[A-Za-z0-9_./-]*[A-Za-z0-9_-]") || uri.contains("..")) {
            throw new UntranslatableException("error_pages supports only pages that are files");
        }
        NginxScope serving = scope;
        for (Directive location : server.block()) {
            if (isExact(location, uri)) {
                serving = scope.within(location);
                if (location.block().stream().allMatch(each -> each.name().matches("root|internal|allow|deny"))) {
                    report.addSame(location);
                    location.block().forEach(report::addSame);
                }
            }
        }
        Optional<Directive> root = serving.last("root");
        if (root.isEmpty() || root.get().word(1).contains("$")) {
            throw new UntranslatableException(
                    "error_pages requires the page to be in a fixed directory; set 'root' for the page");
        }
        report.addSame(root.get());
        return base.resolve(root.get().word(1)).resolve(uri.substring(1)).normalize();
    }

    private static boolean isExact(Directive location, String uri) {
        return location.name().equals("location")
                && location.arguments().equals(List.of("=", uri))
                && location.block().stream()
                        .noneMatch(each -> each.name().matches("alias|try_files|proxy_pass|return"));
    }

    /** Whether a location only serves a page of this server, so that it needs no route. */
    boolean isPage(Directive location) {
        return server.block().stream()
                .filter(each -> each.name().equals("error_page"))
                .map(each -> each.word(each.words().size() - 1))
                .anyMatch(uri -> isExact(location, uri)
                        && location.block().stream()
                                .anyMatch(each -> each.name().equals("internal")));
    }
}
