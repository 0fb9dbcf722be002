package io.ballast.dns.forward.filter.list;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Event;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.forward.filter.FilterTable;
import io.ballast.dns.forward.filter.FilterVerdict;
import io.ballast.dns.forward.filter.ListKind;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of the tests of filter lists: a server of lists, and delays that the test controls. */
abstract class FilterListsFixture {

    static final Duration MORE_THAN_A_DAY = Duration.ofHours(27);

    @TempDir
    Path folder;

    final ManualScheduler scheduler = new ManualScheduler();
    final ControlPlane control = scheduler.controlPlane();
    final NameHash hash = new NameHash(1, 2);
    final List<FilterTable> tables = new ArrayList<>();
    ListServer server;
    int maxRules = 1000;
    Executor fetching = Runnable::run;
    final ListDownload download = new ListDownload();

    @BeforeEach
    void serve() throws IOException {
        server = new ListServer();
    }

    @AfterEach
    void close() {
        server.close();
    }

    FilterLists start(ListSource... sources) throws FilterListException {
        FilterListsSetup setup = new FilterListsSetup(
                hash,
                control,
                Runnable::run,
                fetching,
                folder.resolve("cache"),
                download,
                maxRules,
                Set.of("children"),
                new SplittableRandom(1));
        FilterLists lists = FilterLists.start(setup, List.of(sources), tables::add);
        scheduler.runDue();
        return lists;
    }

    Path file(String... lines) throws IOException {
        Path file = folder.resolve("list.txt");
        Files.write(file, List.of(lines));
        return file;
    }

    static ListSource source(int id, ListLocation location) {
        return ListSource.of(id, "list-" + id, ListKind.BLOCK, location);
    }

    static ListSource inFile(int id, Path file) {
        return source(id, new ListLocation.InFile(file));
    }

    ListSource atUrl(int id, String path) {
        return source(id, new ListLocation.AtUrl(server.url(path)));
    }

    static ListSource inline(int id, String... lines) {
        return source(id, new ListLocation.Inline(List.of(lines)));
    }

    static ListSource disabled(ListSource of) {
        return new ListSource(
                of.id(),
                of.name(),
                of.kind(),
                /* isEnabled= */ false,
                of.location(),
                of.refresh(),
                of.timeout(),
                of.maxBytes(),
                of.shrinkLimit());
    }

    static ListSource limited(ListSource of, long maxBytes) {
        return new ListSource(
                of.id(),
                of.name(),
                of.kind(),
                of.isEnabled(),
                of.location(),
                of.refresh(),
                of.timeout(),
                maxBytes,
                of.shrinkLimit());
    }

    boolean blocks(String name) {
        QueryName queried = new QueryName(hash);
        byte[] wire = new byte[name.length() + 2];
        int at = 0;
        for (String label : name.split("\\.")) {
            wire[at] = (byte) label.length();
            System.arraycopy(label.getBytes(StandardCharsets.US_ASCII), 0, wire, at + 1, label.length());
            at += label.length() + 1;
        }
        queried.read(wire, 0, wire.length);
        queried.hash();
        return FilterVerdict.isBlocked(tables.get(tables.size() - 1).evaluate(queried));
    }

    List<String> events() {
        return control.timeline().recent().stream().map(Event::text).toList();
    }

    static ListState state(FilterLists lists, int id) {
        return lists.states().stream()
                .filter(each -> each.id() == id)
                .findFirst()
                .orElseThrow();
    }

    static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
