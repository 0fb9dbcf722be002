package io.ballast.policy.filter.jar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.filter.Filter;
import io.ballast.filter.FilterSettings;
import io.ballast.filter.RequestResult;
import io.ballast.policy.testing.FilterJars;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which classes the code of a jar can load, and how unusable jars are reported. */
class FilterCodeTest {

    private static final String NAME = "test.Factory";
    private static final String START = """
            package test;

            import io.ballast.filter.*;
            import java.util.concurrent.CompletableFuture;

            public class Factory implements FilterFactory {
            """;
    private static final String PASSING = """
                @Override
                public Filter create(FilterSettings settings) throws Exception {
                    return request -> CompletableFuture.completedFuture(RequestResult.pass());
                }
            }
            """;

    @TempDir
    private Path directory;

    private Path jar(String body) throws Exception {
        return FilterJars.jar(directory, NAME, START + body);
    }

    private static FilterCode load(Path jar) {
        return FilterCode.load(FilterJar.read(jar), Optional.empty());
    }

    private static FilterCode load(Path jar, String className) {
        return FilterCode.load(FilterJar.read(jar), Optional.of(className));
    }

    /** Returns the text with which the filter answers a request. */
    private static String answer(FilterCode code) throws Exception {
        Filter filter = code.create(FilterSettings.EMPTY);
        Object request = Proxy.newProxyInstance(
                Filter.class.getClassLoader(),
                new Class<?>[] {io.ballast.filter.FilterRequest.class},
                (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
        RequestResult result = filter.onRequest((io.ballast.filter.FilterRequest) request)
                .toCompletableFuture()
                .get();
        return new String(result.answer().orElseThrow().body(), StandardCharsets.UTF_8);
    }

    private static String answering(String expression) {
        return """
                @Override
                public Filter create(FilterSettings settings) throws Exception {
                    return request -> CompletableFuture.completedFuture(RequestResult.answer(FilterAnswer.text(200,
                            String.valueOf(%s))));
                }
                static String find(String name) {
                    try {
                        return Class.forName(name).getName();
                    } catch (ClassNotFoundException e) {
                        return "none";
                    }
                }
                static String read(String name) throws Exception {
                    try (var in = Factory.class.getResourceAsStream(name)) {
                        return in == null ? "none" : new String(in.readAllBytes());
                    }
                }
            }
            """.formatted(expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.netty.buffer.ByteBuf",
                "io.ballast.http.policy.Policy",
                "io.ballast.policy.filter.jar.FilterJar",
                "io.ballast.core.Checks",
                "org.slf4j.Logger",
                "org.junit.jupiter.api.Test"
            })
    void filterSeesNoClassOfTheProcess(String name) throws Exception {
        assertThat(Class.forName(name)).isNotNull();
        assertThat(answer(load(jar(answering("find(\"" + name + "\")"))))).isEqualTo("none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.sql.Connection", "java.net.http.HttpClient", "io.ballast.filter.Filter"})
    void filterSeesTheJdkAndTheApi(String name) throws Exception {
        assertThat(answer(load(jar(answering("find(\"" + name + "\")"))))).isEqualTo(name);
    }

    @Test
    void ownLibrariesDoNotCollide() throws Exception {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("io.netty.buffer.ByteBuf", "package io.netty.buffer; public class ByteBuf { }");
        sources.put(NAME, START + answering("io.netty.buffer.ByteBuf.class.getClassLoader().getName()"));
        Path jar = FilterJars.write(
                directory.resolve("own.jar"),
                FilterJars.compile(Files.createDirectory(directory.resolve("classes")), sources));

        assertThat(answer(load(jar, NAME))).isEqualTo("filter " + jar);
    }

    @Test
    void filterReadsItsResources() throws Exception {
        Map<String, byte[]> entries = FilterJars.compile(
                Files.createDirectory(directory.resolve("classes")),
                Map.of(NAME, START + answering("read(\"/data/list.txt\") + read(\"/logback.xml\")")));
        entries.put("data/list.txt", "content".getBytes(StandardCharsets.UTF_8));
        Path jar = FilterJars.write(directory.resolve("resources.jar"), entries);

        assertThat(answer(load(jar, NAME))).isEqualTo("contentnone");
    }

    @Test
    void jarMayBeReplacedWhileItIsInUse() throws Exception {
        Path jar = jar(answering("new Later().toString()")
                .replace(
                        "static String read",
                        "static class Later { public String toString() { return \"later\"; } }"
                                + " static String read"));
        FilterCode code = load(jar);
        Files.writeString(jar, "another file");

        assertThat(answer(code)).isEqualTo("later");
    }

    @Test
    void contentOfTheJarDecidesAboutEquality() throws Exception {
        Path jar = jar(PASSING);
        FilterJar first = FilterJar.read(jar);
        FilterJar same = FilterJar.read(jar);
        Map<String, byte[]> other = Map.of("a", new byte[1]);

        assertThat(same).isEqualTo(first).hasSameHashCodeAs(first);
        assertThat(FilterJar.read(FilterJars.write(jar, other))).isNotEqualTo(first);
    }

    @Test
    void unusableFilesAreReported() throws Exception {
        Path missing = directory.resolve("missing.jar");
        Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
        Path empty = Files.write(directory.resolve("empty.jar"), new byte[0]);

        assertThatThrownBy(() -> FilterJar.read(missing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(missing + " cannot be read: ");
        assertThatThrownBy(() -> FilterJar.read(text)).hasMessageStartingWith(text + " is not a jar");
        assertThatThrownBy(() -> FilterJar.read(empty)).hasMessageStartingWith(empty + " is not a jar");
        assertThatThrownBy(() -> FilterJar.read(directory)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void unusableClassesAreReported() throws Exception {
        Path jar = jar(PASSING);

        assertThatThrownBy(() -> load(jar, "test.Missing")).hasMessage(jar + ": no class test.Missing");
        assertThatThrownBy(() -> load(jar, "java.lang.String"))
                .hasMessage(jar + ": class java.lang.String does not implement io.ballast.filter.FilterFactory");
        assertThatThrownBy(() -> load(FilterJars.write(directory.resolve("a.jar"), Map.of("a", new byte[1]))))
                .hasMessageContaining("names 0 factories")
                .hasMessageContaining("(expected: one, or the key class)");
    }

    @Test
    void unusableFactoriesAreReported() throws Exception {
        assertThatThrownBy(
                        () -> load(jar("public Factory() { throw new IllegalStateException(\"no disk\"); }" + PASSING)))
                .hasMessageContaining("the constructor of test.Factory has failed: IllegalStateException: no disk");
        assertThatThrownBy(() -> load(jar("public Factory(int i) { }" + PASSING)))
                .hasMessageContaining("has no public constructor without parameters");
        assertThatThrownBy(() -> load(jar("static int a = Integer.parseInt(\"x\");" + PASSING)))
                .hasMessageContaining("class test.Factory cannot be initialized: NumberFormatException");
    }

    @Test
    void missingLibraryIsReported() throws Exception {
        Map<String, byte[]> entries = FilterJars.compile(
                Files.createDirectory(directory.resolve("classes")),
                Map.of(
                        "lib.Base",
                        "package lib; public class Base { }",
                        NAME,
                        (START + PASSING).replace("class Factory", "class Factory extends lib.Base")));
        entries.remove("lib/Base.class");
        Path jar = FilterJars.write(directory.resolve("incomplete.jar"), entries);

        assertThatThrownBy(() -> load(jar, NAME))
                .hasMessage(jar + ": class test.Factory needs the class lib.Base, which is not in the jar");
    }

    @Test
    void classForANewerJavaIsReported() throws Exception {
        Map<String, byte[]> entries =
                FilterJars.compile(Files.createDirectory(directory.resolve("classes")), Map.of(NAME, START + PASSING));
        entries.get("test/Factory.class")[7] = 127;
        Path jar = FilterJars.write(directory.resolve("newer.jar"), entries);

        assertThatThrownBy(() -> load(jar, NAME))
                .hasMessageStartingWith(jar + ": class test.Factory needs Java 83 (expected: at most ");
    }

    @Test
    void settingsAreChecked() throws Exception {
        FilterCode code = load(
                jar("public void check(FilterSettings settings) { settings.requireOnly(\"limit\").number(\"limit\"); }"
                        + PASSING));

        code.check(FilterSettings.of(Map.of("limit", 5)));
        assertThatThrownBy(() -> code.check(FilterSettings.of(Map.of("limit", "much"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("settings.limit: a text of 4 characters (expected: a whole number)");
        assertThatThrownBy(() -> code.check(FilterSettings.of(Map.of("limits", "1"))))
                .hasMessageContaining("unknown name 'limits' (expected: limit)");
    }

    @Test
    void factoryThatCannotCreateIsReported() throws Exception {
        Path jar = jar("""
                public Filter create(FilterSettings settings) throws Exception {
                    throw new java.io.IOException("no database");
                }
                }
                """);

        assertThatThrownBy(() -> load(jar).create(FilterSettings.EMPTY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(jar + ": the filter cannot be created: IOException: no database");
    }
}
