package io.ballast.policy.testing;

import io.ballast.filter.Filter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the sources of filters and packs them into jars, as a build of a filter does. */
public final class FilterJars {

    private FilterJars() {}

    /**
     * Compiles sources.
     *
     * @param directory an empty directory for the classes
     * @param sources each source by the name of its class
     * @return the files of the classes by their path in a jar
     */
    public static Map<String, byte[]> compile(Path directory, Map<String, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((name, text) -> units.add(new Source(name, text)));
        List<String> options = List.of("-cp", api().toString(), "-d", directory.toString(), "-proc:none");
        if (!compiler.getTask(/* out= */ null, null, null, options, null, units).call()) {
            throw new IllegalArgumentException("the sources of a filter are invalid");
        }
        Map<String, byte[]> classes = new LinkedHashMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                classes.put(directory.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return classes;
    }

    /** Returns the location of the classes of {@code lb-filter-api}, without other modules. */
    private static Path api() {
        return Path.of(URI.create(
                Filter.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** Compiles one class, and packs it into a jar that names it as its factory. */
    public static Path jar(Path directory, String factory, String source) throws IOException {
        Map<String, byte[]> entries = compile(Files.createTempDirectory(directory, "classes"), Map.of(factory, source));
        entries.put("META-INF/services/io.ballast.filter.FilterFactory", factory.getBytes(StandardCharsets.UTF_8));
        return write(directory.resolve(factory + ".jar"), entries);
    }

    /** Writes a jar. */
    public static Path write(Path jar, Map<String, byte[]> entries) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        }
        return jar;
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
