package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Event;
import io.ballast.core.net.Cidr;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.config.forward.DnsClientGroup;
import io.ballast.dns.config.forward.DnsClientGroup.Filter;
import io.ballast.dns.config.forward.DnsClientGroup.Period;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.wire.NameHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests filter changes by schedule and by operators, without queries. */
class FilterControlTest {

    private static final int MAX = 1_000;

    @TempDir
    private Path directory;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane plane = scheduler.controlPlane();
    private final NameHash hash = NameHash.random();
    private int flushes;
    private FilterControl control;

    /** Starts the filter control at midnight. */
    @BeforeEach
    void begin() throws IOException {
        control = started();
    }

    private FilterControl started() throws IOException {
        ListSetup setup = new ListSetup(plane, Runnable::run, Runnable::run, directory);
        FilterControl started = new FilterControl(setup, hash, () -> flushes++);
        DnsFilterConfig config = config();
        NameFilter filter = new NameFilter(
                Optional.of(config),
                new DnsPolicyConfig(List.of(children()), Optional.empty()),
                hash,
                list -> new LongAdder());
        started.prepare(filter);
        started.activate(filter, config, /* activeLists= */ null);
        return started;
    }

    @Test
    void scheduleChangesGroup() {
        assertThat(lists()).containsExactly("ads");
        scheduler.advance(Duration.ofMinutes(59));
        assertThat(lists()).containsExactly("ads");
        scheduler.advance(Duration.ofMinutes(1).plusMillis(1));
        assertThat(lists()).containsExactly("ads", "games");
        scheduler.advance(Duration.ofMinutes(90));
        assertThat(lists()).containsExactly("ads");
        scheduler.advance(Duration.ofHours(23));
        assertThat(lists()).as("the day after").containsExactly("ads", "games");
    }

    @Test
    void pauseExpires() {
        control.pause(Duration.ofMinutes(5), Optional.of("children"), "ann");
        scheduler.advance(Duration.ofMinutes(5).minusSeconds(1));
        assertThat(group().isFiltered()).isFalse();
        assertThat(group().pause().orElseThrow().operatorName()).isEqualTo("ann");
        assertThat(control.state().groups().get(0).isFiltered()).isTrue();
        scheduler.advance(Duration.ofSeconds(1).plusMillis(1));
        assertThat(group().isFiltered()).isTrue();
        assertThat(group().pause()).isEmpty();
        assertThat(flushes).as("the same answers are kept for all").isZero();
    }

    @Test
    void laterPauseReplacesEarlierPause() {
        control.pause(Duration.ofHours(5), Optional.empty(), "ann");
        control.pause(Duration.ofMinutes(1), Optional.empty(), "bob");
        assertThat(control.state().globalPause().orElseThrow().operatorName()).isEqualTo("bob");
        assertThatThrownBy(() -> control.resume(Optional.of("children"), "ann"))
                .hasMessageContaining("paused together with all other groups");
        scheduler.advance(Duration.ofMinutes(1).plusMillis(1));
        assertThat(group().isFiltered()).isTrue();
    }

    @Test
    void operatorRulesAreStoredInOrderAndLimited() throws IOException {
        control.block("A.example.", "ann");
        control.allow("b.a.example", "ann");
        control.allow("a.example", "ann");
        Path file = directory.resolve("operator.rules");
        assertThat(Files.readAllLines(file)).containsExactly("@@||b.a.example^", "@@||a.example^");
        assertThat(flushes).isEqualTo(3);
        assertThat(started().state().operatorRules()).hasSize(2);

        for (int i = 2; i < MAX; i++) {
            control.block("n" + i + ".example", "");
        }
        assertThatThrownBy(() -> control.block("more.example", "")).hasMessageContaining("at most " + MAX);
        control.block("n5.example", "");
        try (var files = Files.list(directory)) {
            assertThat(files).as("nothing half written").containsExactly(file);
        }
    }

    @Test
    void timelineNamesOperator() throws IOException {
        control.pause(Duration.ofMinutes(5), Optional.of("children"), "ann");
        control.block("a.example", "bob");
        scheduler.runDue();
        assertThat(plane.timeline().recent())
                .extracting(Event::text)
                .containsExactly("group children paused for 300 s by ann", "blocked a.example by bob");
    }

    private List<String> lists() {
        return group().lists();
    }

    private FilterState.Group group() {
        return control.state().groups().get(1);
    }

    private static DnsClientGroup children() {
        Period hours = new Period(
                EnumSet.allOf(DayOfWeek.class), LocalTime.of(1, 0), LocalTime.of(2, 30), List.of("ads", "games"));
        Filter filter = new Filter(
                Optional.of(List.of("ads")),
                Optional.empty(),
                List.of(),
                Optional.of(ZoneId.of("UTC")),
                List.of(hours));
        return new DnsClientGroup("children", List.of(Cidr.parse("10.0.0.0/8")), Optional.of(filter));
    }

    private static DnsFilterConfig config() {
        return new DnsFilterConfig(
                List.of(list("ads"), list("games")),
                Answer.NXDOMAIN,
                List.of(),
                DnsFilterConfig.DEFAULT_TTL,
                DnsFilterConfig.DEFAULT_MAX_RULES,
                List.of(),
                List.of());
    }

    private static RuleList list(String name) {
        return new RuleList(
                name,
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.empty(),
                Optional.empty(),
                List.of("||" + name + ".example^"),
                RuleList.DEFAULT_REFRESH,
                RuleList.DEFAULT_MAX_SIZE_BYTES);
    }
}
