package io.ballast.dns.forward.filter.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests lists from files, URLs and the configuration, and the tables built from them. The test controls all delays. */
class FilterListsTest extends FilterListsFixture {

    @Test
    void fileIsReadAndWatched() throws Exception {
        Path file = file("||a.example^", "||b.example^$client=x");
        FilterLists lists = start(inFile(0, file), inline(1, "||own.example^"));

        assertThat(blocks("a.example")).isTrue();
        assertThat(blocks("own.example")).isTrue();
        assertThat(state(lists, 0).ruleCount()).isEqualTo(1);
        assertThat(state(lists, 0).refusals())
                .singleElement()
                .satisfies(line -> assertThat(line.line()).isEqualTo(2));

        assertThat(download.isStarted()).isFalse();
        Files.write(file, List.of("||c.example^", "||d.example^"));
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2030-01-01T00:00:00Z")));
        scheduler.advance(Duration.ofSeconds(12));

        assertThat(blocks("a.example")).isFalse();
        assertThat(blocks("d.example")).isTrue();
        assertThat(tables).hasSize(2);
        assertThat(state(lists, 0).age(scheduler.clock().instant()))
                .hasValueSatisfying(age -> assertThat(age).isLessThan(Duration.ofSeconds(12)));

        scheduler.advance(Duration.ofMinutes(5));
        assertThat(tables).hasSize(2);
    }

    @Test
    void slowServerDoesNotDelayOtherLists() throws Exception {
        List<Runnable> slow = new ArrayList<>();
        fetching = slow::add;
        server.serve("\"1\"", "||slow.example^");
        Path file = file("||a.example^");
        start(atUrl(0, "/list"), inFile(1, file));

        Files.write(file, List.of("||b.example^"));
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2030-01-01T00:00:00Z")));
        scheduler.advance(Duration.ofSeconds(12));

        assertThat(blocks("b.example")).isTrue();
        assertThat(blocks("slow.example")).isFalse();

        slow.forEach(Runnable::run);
        scheduler.runDue();
        assertThat(blocks("slow.example")).isTrue();
        assertThat(blocks("b.example")).isTrue();
    }

    @Test
    void missingFileKeepsRulesAndIsReportedOnce() throws Exception {
        Path file = file("||a.example^");
        FilterLists lists = start(inFile(0, file));

        Files.delete(file);
        scheduler.advance(Duration.ofMinutes(10));

        assertThat(blocks("a.example")).isTrue();
        assertThat(state(lists, 0).problem()).endsWith("no such file");
        assertThat(state(lists, 0).lastFailure()).isPresent();
        assertThat(events())
                .singleElement()
                .asString()
                .startsWith("cannot be read; the previous version stays in use with 1 rules: ");
    }

    @Test
    void unreadableListAtStartIsError() {
        assertThatThrownBy(() -> start(inFile(0, folder.resolve("missing")), inline(1, "||a.example^$client=x")))
                .isInstanceOfSatisfying(
                        FilterListException.class,
                        e -> assertThat(e.problems())
                                .satisfiesExactly(
                                        first -> assertThat(first).endsWith("missing: no such file"),
                                        second -> assertThat(second)
                                                .isEqualTo("list list-1: line 1: ||a.example^$client=x (expected:"
                                                        + " $client= with addresses, networks and names of client"
                                                        + " groups, separated by |, each with ~ before it to exclude"
                                                        + " it; there is no group x)")));
        assertThat(tables).isEmpty();
    }

    @Test
    void rejectsDuplicateIdsAndUrls() {
        assertThatThrownBy(() -> start(inline(0), inline(0), atUrl(1, "/list"), atUrl(2, "/list")))
                .isInstanceOfSatisfying(
                        FilterListException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "list list-0: another list has the id 0",
                                        "list list-2: another list has the same url"));
    }

    @Test
    void urlIsFetchedAndRevalidated() throws Exception {
        server.serve("\"1\"", "||a.example^");
        FilterLists lists = start(atUrl(0, "/list"));
        assertThat(tables).hasSize(2);
        assertThat(blocks("a.example")).isTrue();

        scheduler.advance(MORE_THAN_A_DAY);

        assertThat(server.conditions()).containsExactly("-", "\"1\"");
        assertThat(tables).hasSize(2);
        assertThat(state(lists, 0).problem()).isEmpty();

        server.serve("\"2\"", "||b.example^");
        scheduler.advance(MORE_THAN_A_DAY);

        assertThat(blocks("a.example")).isFalse();
        assertThat(blocks("b.example")).isTrue();
    }

    @Test
    void failedRefreshKeepsRulesAndRetriesSooner() throws Exception {
        server.serve("\"1\"", "||a.example^");
        FilterLists lists = start(atUrl(0, "/list"));
        server.fail(503);
        scheduler.advance(MORE_THAN_A_DAY);

        assertThat(blocks("a.example")).isTrue();
        assertThat(state(lists, 0).problem()).isEqualTo("status 503");
        assertThat(events()).endsWith("cannot be read; the previous version stays in use with 1 rules: status 503");

        server.serve("\"2\"", "||b.example^");
        scheduler.advance(Duration.ofMinutes(71));

        assertThat(blocks("b.example")).isTrue();
        assertThat(state(lists, 0).problem()).isEmpty();
        assertThat(state(lists, 0).lastFailure()).isEmpty();
    }

    @Test
    void emptyListIsFailure() throws Exception {
        server.serve("\"1\"", "||a.example^");
        FilterLists lists = start(atUrl(0, "/list"));
        server.serve("\"2\"", "<html>", "<p>Please log in</p>", "</html>");
        scheduler.advance(MORE_THAN_A_DAY);

        assertThat(blocks("a.example")).isTrue();
        assertThat(state(lists, 0).problem()).isEqualTo("no valid rule, 3 lines refused");

        server.serve("\"3\"", new byte[0]);
        lists.refresh(0);
        scheduler.runDue();

        assertThat(blocks("a.example")).isTrue();
        assertThat(state(lists, 0).problem()).isEqualTo("the file is empty");
    }

    @Test
    void shrunkListKeepsPreviousVersion() throws Exception {
        server.serve("\"1\"", names(200));
        FilterLists lists = start(atUrl(0, "/list"));
        server.serve("\"2\"", names(3));
        scheduler.advance(MORE_THAN_A_DAY);

        assertThat(blocks("a199.example")).isTrue();
        assertThat(state(lists, 0).ruleCount()).isEqualTo(200);
        assertThat(state(lists, 0).lastFailure()).isPresent();
        assertThat(state(lists, 0).problem())
                .isEqualTo("the new version has 3 rules, fewer than the 100 that shrink_limit requires;"
                        + " to accept it: lb dns accept list-0");
        assertThat(events())
                .last()
                .asString()
                .startsWith(
                        "cannot be read; the previous version stays in use with 200 rules: the new version has 3 rules");

        tables.clear();
        lists.close();
        scheduler.runDue();
        FilterLists again = start(atUrl(0, "/list"));
        assertThat(blocks("a199.example")).as("after a restart, too").isTrue();

        again.accept(0);
        scheduler.runDue();
        assertThat(blocks("a199.example")).isFalse();
        assertThat(blocks("a2.example")).isTrue();
        assertThat(state(again, 0).problem()).isEmpty();

        server.serve("\"3\"", names(300));
        scheduler.advance(MORE_THAN_A_DAY);
        server.serve("\"4\"", names(3));
        scheduler.advance(MORE_THAN_A_DAY);
        assertThat(blocks("a299.example")).as("accepted once, not for ever").isTrue();
    }

    @Test
    void shrunkFileKeepsPreviousVersion() throws Exception {
        Path file = file(names(200));
        FilterLists lists = start(inFile(0, file));
        Files.write(file, List.of(names(99)));
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2030-01-01T00:00:00Z")));
        scheduler.advance(Duration.ofSeconds(12));
        assertThat(blocks("a199.example")).isTrue();
        assertThat(state(lists, 0).problem()).contains("lb dns accept list-0");

        Files.write(file, List.of(names(100)));
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2030-01-02T00:00:00Z")));
        scheduler.advance(Duration.ofMinutes(1));
        assertThat(blocks("a199.example")).as("half the size is accepted").isFalse();
        assertThat(state(lists, 0).problem()).isEmpty();
    }

    @Test
    void shortListMayShrink() throws Exception {
        server.serve("\"1\"", names(99));
        FilterLists lists = start(atUrl(0, "/list"));
        server.serve("\"2\"", names(3));
        scheduler.advance(MORE_THAN_A_DAY);

        assertThat(blocks("a98.example")).isFalse();
        assertThat(state(lists, 0).problem()).isEmpty();
    }

    @Test
    void reportsRejectedAndBroadRules() throws Exception {
        Path file = file(
                "||a.example^", "||b.example^$client=x", "@@||c.example/path^", "||com^", "/./", "bad name", "<x>");
        FilterLists lists = start(inFile(0, file));

        assertThat(lists.warnings())
                .hasSize(2)
                .satisfiesExactly(
                        refused -> assertThat(refused)
                                .startsWith(
                                        "list list-0: 4 lines rejected and ignored: line 2: ||b.example^$client=x (")
                                .contains("; line 3: @@||c.example/path^ (")
                                .endsWith("; and 1 more"),
                        broad -> assertThat(broad)
                                .isEqualTo(
                                        "list list-0: 2 rules for a whole top-level domain or more, applied as written:"
                                                + " line 4: ||com^ applies to every name below com;"
                                                + " line 5: /./ applies to every name"));
        assertThat(state(lists, 0).broadCount()).isEqualTo(2);
        assertThat(start(inline(0, "||a.example^")).warnings()).isEmpty();
    }

    private static String[] names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "||a" + i + ".example^").toArray(String[]::new);
    }

    private long keptFiles() throws IOException {
        try (Stream<Path> kept = Files.list(folder.resolve("cache"))) {
            return kept.count();
        }
    }

    @Test
    void cachedListSurvivesRestart() throws Exception {
        server.serve("\"1\"", "||a.example^");
        start(atUrl(0, "/list"), atUrl(1, "/other")).close();
        scheduler.runDue();
        tables.clear();

        server.fail(500);
        FilterLists lists = start(atUrl(0, "/list"));

        assertThat(tables).hasSize(1);
        assertThat(blocks("a.example")).isTrue();
        assertThat(server.conditions()).hasSize(2);
        assertThat(state(lists, 0).lastSuccess()).isPresent();
        assertThat(keptFiles())
                .as("until a return to the other lists is impossible")
                .isEqualTo(4);
        lists.deleteUnusedFiles();
        assertThat(keptFiles()).isEqualTo(2);
        scheduler.advance(MORE_THAN_A_DAY);
        assertThat(server.conditions()).contains("\"1\"");
        assertThat(blocks("a.example")).isTrue();
    }

    @Test
    void unfetchedUrlIsReportedAndRetried() throws Exception {
        server.fail(404);
        FilterLists lists = start(atUrl(0, "/list"), inline(1, "||own.example^"));

        assertThat(blocks("own.example")).isTrue();
        assertThat(state(lists, 0).problem()).isEqualTo("status 404");
        assertThat(state(lists, 0).lastSuccess()).isEmpty();

        server.serve("\"1\"", "||a.example^");
        scheduler.advance(Duration.ofSeconds(67));

        assertThat(blocks("a.example")).isTrue();
    }

    @Test
    void unreachableServerHasPlainError() throws Exception {
        URI removed = server.url("/list");
        server.close();
        FilterLists lists = start(source(0, new ListLocation.AtUrl(removed)));

        assertThat(state(lists, 0).problem()).isEqualTo("connection refused");
    }

    @Test
    void followsRedirects() throws Exception {
        server.serve("\"1\"", "||a.example^");
        start(atUrl(0, "/moved"));

        assertThat(blocks("a.example")).isTrue();
    }

    @Test
    void readsCompressedLists() throws Exception {
        server.serve("\"1\"", gzip("||a.example^\n"));
        Path file = folder.resolve("list.gz");
        Files.write(file, gzip("||b.example^\n"));
        start(atUrl(0, "/list"), inFile(1, file));

        assertThat(blocks("a.example")).isTrue();
        assertThat(blocks("b.example")).isTrue();
    }

    @Test
    void tooLargeListIsFailure() throws Exception {
        server.serve("\"1\"", "||a.example^", "# " + "x".repeat(1000));
        FilterLists lists = start(limited(atUrl(0, "/list"), 1000));
        assertThat(state(lists, 0).problem()).isEqualTo("more than 1000 bytes");
        assertThat(blocks("a.example")).isFalse();

        server.serve("\"2\"", gzip("||a.example^\n# " + "x".repeat(100_000)));
        lists.refresh(0);
        scheduler.runDue();
        assertThat(state(lists, 0).problem()).isEqualTo("more than 1000 bytes");

        assertThatThrownBy(() -> start(limited(inFile(1, file("# " + "x".repeat(1000))), 1000)))
                .isInstanceOf(FilterListException.class)
                .hasMessage("list list-1: more than 1000 bytes");
    }

    @Test
    void refreshBeyondRuleLimitIsFailure() throws Exception {
        maxRules = 3;
        server.serve("\"1\"", "||a.example^");
        FilterLists lists = start(atUrl(0, "/list"), inline(1, "||own.example^"));
        server.serve("\"2\"", "||b.example^", "||c.example^", "||d.example^");
        lists.refresh(0);
        scheduler.runDue();

        assertThat(state(lists, 0).problem()).isEqualTo("rules: 4 (expected: at most 3)");
        assertThat(blocks("a.example")).isTrue();
        assertThat(blocks("b.example")).isFalse();
    }

    @Test
    void configurationBeyondRuleLimitIsRejected() throws Exception {
        maxRules = 3;
        FilterLists lists = start(inline(0, "a.example", "b.example"));

        assertThatThrownBy(() -> lists.configure(
                        List.of(inline(0, "a.example", "b.example"), inline(1, "c.example", "d.example"))))
                .isInstanceOf(FilterListException.class)
                .hasMessage("list list-1: rules: 4 (expected: at most 3)");
        scheduler.runDue();
        assertThat(tables).hasSize(1);
    }

    @Test
    void disabledListIsNotFetched() throws Exception {
        server.serve("\"1\"", "||a.example^");
        ListSource list = atUrl(0, "/list");
        FilterLists lists = start(list);
        assertThat(blocks("a.example")).isTrue();

        lists.configure(List.of(disabled(list)));
        scheduler.advance(MORE_THAN_A_DAY);
        lists.refresh(0);
        scheduler.runDue();

        assertThat(blocks("a.example")).isFalse();
        assertThat(state(lists, 0).ruleCount()).isZero();
        assertThat(server.conditions()).hasSize(1);

        lists.configure(List.of(list));
        scheduler.runDue();

        assertThat(blocks("a.example")).isTrue();
    }

    @Test
    void unchangedListsKeepRules() throws Exception {
        server.serve("\"1\"", "||a.example^");
        FilterLists lists = start(atUrl(0, "/list"), inline(1, "||b.example^"));

        server.fail(500);
        lists.configure(List.of(atUrl(0, "/list"), inline(1, "||c.example^")));
        scheduler.runDue();

        assertThat(blocks("a.example")).isTrue();
        assertThat(blocks("b.example")).isFalse();
        assertThat(blocks("c.example")).isTrue();
        assertThat(server.conditions()).hasSize(1);
    }

    @Test
    void fetchesNothingAfterClose() throws Exception {
        server.serve("\"1\"", "||a.example^");
        FilterLists lists = start(atUrl(0, "/list"));
        lists.close();
        scheduler.advance(MORE_THAN_A_DAY);

        assertThat(server.conditions()).hasSize(1);
        assertThat(scheduler.waiting()).isEmpty();
    }
}
