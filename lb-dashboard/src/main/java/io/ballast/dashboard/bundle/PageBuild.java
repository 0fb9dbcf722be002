package io.ballast.dashboard.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Writes the files that the dashboard serves. Each directory of the sources becomes one script and one style
 * sheet, with source maps. Every other file keeps its content. All names except those of HTML files contain a hash
 * of the content, and references of the form {@code assets/app.js} are replaced by the names with hashes.
 */
final class PageBuild {

    /** The style sheets that come before all other style sheets, because later rules override earlier ones. */
    private static final List<String> FIRST_STYLES = List.of("vendor.css", "app.css");

    private final Path source;
    private final Path target;
    private final Path assets;
    private final HashedNames names = new HashedNames();

    PageBuild(Path source, Path target) {
        this.source = source;
        this.target = target;
        this.assets = target.resolve("assets");
    }

    /**
     * @param arguments the directory of the sources and the directory to write to
     */
    public static void main(String[] arguments) throws IOException {
        new PageBuild(Path.of(arguments[0]), Path.of(arguments[1])).run();
    }

    /** Throws {@link IllegalArgumentException} with the file and the line if a source cannot be bundled. */
    void run() throws IOException {
        Files.createDirectories(assets);
        deleteFiles(target);
        deleteFiles(assets);
        for (Path file : children(source, file -> Files.isRegularFile(file) && !isText(file) && !isPage(file))) {
            write(nameOf(file), Files.readAllBytes(file));
        }
        for (Path file : children(source, PageBuild::isText)) {
            String text = names.replaceIn(Files.readString(file), nameOf(file));
            write(nameOf(file), text.getBytes(UTF_8));
        }
        for (Path directory : children(source, Files::isDirectory)) {
            writeScripts(directory);
            writeStyles(directory);
        }
        for (Path page : children(source, PageBuild::isPage)) {
            Files.writeString(target.resolve(nameOf(page)), names.replaceIn(Files.readString(page), nameOf(page)));
        }
    }

    private static void deleteFiles(Path directory) throws IOException {
        for (Path file : children(directory, Files::isRegularFile)) {
            Files.delete(file);
        }
    }

    private void writeScripts(Path directory) throws IOException {
        String name = nameOf(directory) + ".js";
        Map<String, ScriptModule> modules = new LinkedHashMap<>();
        for (Path file : children(directory, file -> nameOf(file).endsWith(".js"))) {
            ScriptModule module = ScriptModule.parse(nameOf(file), Files.readString(file));
            modules.put(module.file(), module);
        }
        if (modules.isEmpty()) {
            return;
        }
        Bundle bundle = new Bundle(nameOf(directory) + '/');
        for (ScriptModule module : new ModuleOrder(modules, name).modules()) {
            module.addTo(bundle);
        }
        write(name, bundle, "//# sourceMappingURL=%s\n");
    }

    private void writeStyles(Path directory) throws IOException {
        Bundle bundle = new Bundle(nameOf(directory) + '/');
        List<Path> files = children(directory, file -> nameOf(file).endsWith(".css"));
        for (Path file : files.stream()
                .sorted(Comparator.comparingInt(PageBuild::styleRank))
                .toList()) {
            String content = Files.readString(file);
            bundle.addSource(nameOf(file), content, content.lines().toList());
        }
        if (!files.isEmpty()) {
            write(nameOf(directory) + ".css", bundle, "/*# sourceMappingURL=%s */\n");
        }
    }

    private static int styleRank(Path file) {
        int rank = FIRST_STYLES.indexOf(nameOf(file));
        return rank < 0 ? FIRST_STYLES.size() : rank;
    }

    private void write(String name, Bundle bundle, String comment) throws IOException {
        String text = names.replaceIn(bundle.text(), name);
        String hashed = names.add(name, text.getBytes(UTF_8));
        Files.writeString(assets.resolve(hashed), text + comment.formatted(hashed + ".map"));
        Files.writeString(assets.resolve(hashed + ".map"), bundle.sourceMap());
    }

    private void write(String name, byte[] content) throws IOException {
        Files.write(assets.resolve(names.add(name, content)), content);
    }

    private static boolean isPage(Path file) {
        return nameOf(file).endsWith(".html");
    }

    private static boolean isText(Path file) {
        return Files.isRegularFile(file)
                && (nameOf(file).endsWith(".js") || nameOf(file).endsWith(".css"));
    }

    /** Returns the accepted children of a directory, sorted by name, without hidden files. */
    private static List<Path> children(Path directory, Predicate<Path> accepted) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !nameOf(file).startsWith("."))
                    .filter(accepted)
                    .sorted(Comparator.comparing(PageBuild::nameOf))
                    .toList();
        }
    }

    private static String nameOf(Path file) {
        return file.getFileName().toString();
    }
}
