package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedPath;
import io.ballast.config.imports.UntranslatableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts {@code root}, {@code alias}, {@code index} and {@code try_files} of a location without an upstream to the
 * action {@code files} of a route. The directory must exist, because {@code lb check} refuses a missing directory.
 */
final class NginxFiles {

    private static final String HANDLERS =
            "(proxy|fastcgi|uwsgi|scgi|grpc|memcached)_pass|return|rewrite|stub_status|empty_gif|perl|js_content|dav_methods"
                    + "|flv|mp4|autoindex|if|image_filter|random_index|concat|internal";
    private static final String DIFFERENCES =
            "hidden files (except .well-known) and links to files outside the directory are not served, but get 404";
    private static final String URI = "$uri";
    private static final String DEFAULT_INDEX = "index.html";

    private final Path base;
    private final ImportReport report;

    NginxFiles(Path base, ImportReport report) {
        this.base = base;
        this.report = report;
    }

    /**
     * Adds the action for a location, or for the requests that match no location of a server.
     *
     * @param location the block of the location or server
     * @param scope the scope of the block
     * @param condition the paths that the block serves
     * @param path the path as written in the location
     * @param action receives the action; unchanged if there is no equivalent, which is reported
     */
    void addTo(Directive location, NginxScope scope, ImportedPath condition, String path, Map<String, Object> action) {
        Optional<Directive> alias = own(location, "alias");
        Optional<Directive> root = alias.isPresent() ? alias : scope.last("root");
        if (root.isEmpty() || hasOtherHandler(location)) {
            return;
        }
        try {
            Map<String, Object> files = new LinkedHashMap<>();
            files.put("root", directory(root.get()).toString());
            index(scope, files);
            String prefix = alias.isPresent() ? prefix(alias.get(), condition, path) : "";
            own(location, "try_files").ifPresent(tried -> tryFiles(tried, prefix, files));
            precompressed(scope, files);
            if (!prefix.isEmpty()) {
                action.put("rewrite", Map.of("strip", prefix));
            }
            action.put("files", files);
            report.addChanged(root.get(), DIFFERENCES);
        } catch (UntranslatableException e) {
            report.addUnsupported(root.get(), e.nearest());
        }
    }

    /**
     * Returns the directive of the block itself, because nginx does not apply the directive of an outer block to a
     * location.
     */
    private static Optional<Directive> own(Directive block, String name) {
        return block.block().stream()
                .filter(directive -> directive.name().equals(name))
                .findFirst();
    }

    private static boolean hasOtherHandler(Directive location) {
        return location.name().equals("location")
                && location.block().stream()
                        .anyMatch(directive -> directive.name().matches(HANDLERS)
                                && !directive.words().equals(List.of("autoindex", "off")));
    }

    private Path directory(Directive root) throws UntranslatableException {
        if (root.word(1).isEmpty() || root.word(1).contains("$")) {
            throw new UntranslatableException("'root' of files supports only a fixed directory");
        }
        Path directory = base.resolve(root.word(1)).normalize();
        if (!Files.isDirectory(directory)) {
            throw new UntranslatableException(
                    directory + " is not a directory on this machine; import the file on the machine that serves it");
        }
        return directory;
    }

    /** Returns the path that {@code alias} replaces; empty if the location is the whole server. */
    private static String prefix(Directive alias, ImportedPath condition, String path) throws UntranslatableException {
        if (condition.kind() == ImportedPath.Kind.ANY) {
            return "";
        }
        if (condition.kind() != ImportedPath.Kind.PREFIX
                || path.endsWith("/") != alias.word(1).endsWith("/")) {
            throw new UntranslatableException(
                    "use 'files' of a route; the location must be a prefix such as /app/, and both it and the alias end with /");
        }
        return condition.text();
    }

    private void index(NginxScope scope, Map<String, Object> files) throws UntranslatableException {
        Optional<Directive> index = scope.last("index");
        if (index.isEmpty()) {
            return;
        }
        List<String> names = index.get().arguments();
        String first = names.isEmpty() ? "" : names.get(0);
        if (!first.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*") || first.endsWith(".php")) {
            throw new UntranslatableException("'index' of files supports only the name of a static file");
        }
        if (!first.equals(DEFAULT_INDEX)) {
            files.put("index", first);
        }
        report.addTranslated(
                index.get(), names.size() == 1 ? List.of() : List.of("only the first name, " + first + ", is used"));
    }

    private void tryFiles(Directive tried, String prefix, Map<String, Object> files) {
        List<String> words = new ArrayList<>(tried.arguments());
        String last = words.isEmpty() ? "" : words.remove(words.size() - 1);
        List<String> notes = new ArrayList<>();
        if (!words.contains(URI) || !words.stream().allMatch(word -> word.matches("\\$uri(/|/index\\.html)?"))) {
            report.addUnsupported(
                    tried,
                    "unsupported order: 'files' tries the file, then the index of the directory, then the fallback");
            return;
        }
        if (words.size() == 1) {
            notes.add("a request for a directory gets its index file");
        }
        String fallback = last.startsWith(prefix) ? last.substring(prefix.length()) : "";
        if (fallback.matches("/[A-Za-z0-9_./-]*[A-Za-z0-9_-]") && !fallback.contains("..")) {
            files.put("fallback", fallback);
            notes.add("the fallback is sent only if Accept contains text/html, or the last path segment has no dot");
        } else if (!last.equals("=404")) {
            report.addUnsupported(tried, "'fallback' of files supports only the path of a file");
            return;
        }
        report.addTranslated(tried, notes);
    }

    private void precompressed(NginxScope scope, Map<String, Object> files) {
        for (String name : List.of("gzip_static", "brotli_static")) {
            scope.last(name).ifPresent(compressed -> {
                if (compressed.word(1).equals("on")) {
                    files.put("precompressed", true);
                    report.addChanged(compressed, "'precompressed' applies to .gz, .br and .zst files");
                }
            });
        }
    }
}
