package io.ballast.server.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how many classes a reader must open to follow an HTTP/1.1 GET on an open connection, and that the documents list
 * them. Counts the classes of {@code lb-http} that pass the request on: they call a method of another class that is more
 * than an accessor. Does not count enums, the classes of other modules, and classes that only answer calls, such as
 * buffers, counters and settings.
 */
class RequestPathTest {

    private static final int MAX_CLASSES = 35;

    private static final String GET = "GET /index.html HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n";
    private static final String MODULE = "io.ballast.http.";

    /** The periodic tasks of an event loop, which do not belong to a request. */
    private static final String PERIODIC = "io.ballast.net.loop.FrontendLoop";

    private static final Pattern LIST = Pattern.compile("(?s)\n## A request\n.*?\n```\n(.*?)\n```\n");
    private static final Pattern TYPE = Pattern.compile("\\b[A-Z]\\w+");

    /** The simple names of all classes with a method that was executed. */
    private static final Set<String> EXECUTED = new TreeSet<>();

    /** The simple names of the counted classes. */
    private static final Set<String> PASSED = new TreeSet<>();

    @BeforeAll
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    static void traceRequest(@TempDir Path directory) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TracedProcess process = TracedProcess.start(config(directory, backend.port()));
                RawClient client = RawClient.connect(process.port())) {
            client.send(GET).read();
            process.record();
            client.send(GET).read();
            // This request is recorded, too. Its response shows that the event loop has finished the previous request.
            client.send(GET).read();
            for (TracedCall outermost : process.stopRecording()) {
                if (!outermost.type().equals(PERIODIC)) {
                    outermost.forEach(RequestPathTest::add);
                }
            }
        }
    }

    private static Path config(Path directory, int port) throws Exception {
        return Files.writeString(directory.resolve("lb.yaml"), """
                listeners: [{bind: "127.0.0.1:0", pool: web}]
                pools: {web: {backends: ["127.0.0.1:%d"]}}
                dashboard: {enabled: false}
                event_loops: 1
                data_dir: "%s"
                """.formatted(port, directory.resolve("data")));
    }

    private static void add(TracedCall call) {
        String name = call.type().substring(call.type().lastIndexOf('.') + 1);
        EXECUTED.add(name);
        if (call.type().startsWith(MODULE) && !call.inEnum() && call.leadsOn()) {
            PASSED.add(name);
        }
    }

    @Test
    void getPassesFewClasses() {
        assertThat(PASSED)
                .contains("ClientConnection", "Exchange", "BackendConnection", "ClientOutput")
                .hasSizeLessThanOrEqualTo(MAX_CLASSES);
    }

    @Test
    void documentsListTheseClasses() throws Exception {
        Set<String> listed = listedClasses(Files.readString(Path.of("..", "docs", "architecture.md")));

        assertThat(listed).containsAll(PASSED);
        assertThat(EXECUTED).containsAll(listed);
    }

    /** Returns the classes in the left column of the list. */
    private static Set<String> listedClasses(String page) {
        List<String> lines = LIST.matcher(page)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1)
                .lines()
                .toList();
        return lines.stream()
                .map(line -> line.strip().split(" {2,}", 2)[0])
                .flatMap(classes -> TYPE.matcher(classes).results())
                .map(match -> match.group())
                .collect(toCollection(TreeSet::new));
    }
}
