package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsClientGroup;
import io.ballast.dns.config.forward.DnsClientGroup.Filter;
import io.ballast.dns.config.forward.DnsClientGroup.Period;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that client groups have their own lists and schedules, although all groups share the cached answers. */
class GroupFilteringTest extends FilteredForwarderTest {

    private static final String OTHER = "127.0.0.1";
    private static final String CHILD = "127.0.7.9";
    private static final String GUEST = "127.0.7.77";

    @Test
    void longestPrefixSelectsGroup() throws IOException {
        try (ForwarderFixture fixture = fixture(children("ads", "games"), off())) {
            assertThat(code(fixture, OTHER, "www.games.example")).isEqualTo(Rcode.NXDOMAIN);
            assertThat(code(fixture, CHILD, "www.games.example")).isEqualTo(Rcode.NXDOMAIN);
            assertThat(code(fixture, GUEST, "www.games.example")).as("off").isEqualTo(Rcode.NOERROR);
        }
        try (ForwarderFixture fixture = fixture(children("ads"))) {
            assertThat(code(fixture, CHILD, "www.games.example")).isEqualTo(Rcode.NOERROR);
            assertThat(code(fixture, OTHER, "www.games.example")).isEqualTo(Rcode.NXDOMAIN);
            assertThat(code(fixture, CHILD, "www.ads.example")).isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void groupHasOwnBlockedAnswer() throws IOException {
        Filter own = new Filter(
                Optional.empty(),
                Optional.of(Answer.ADDRESSES),
                List.of(IpAddress.parse("192.0.2.7")),
                Optional.empty(),
                List.of());
        try (ForwarderFixture fixture = fixture(group("children", "127.0.7.0/24", Optional.of(own)))) {
            assertThat(Messages.answers(fixture.queryFrom(CHILD, "ads.example", Type.A)))
                    .containsExactly("192.0.2.7");
            assertThat(code(fixture, OTHER, "ads.example")).isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void cachedAnswerIsFilteredPerGroup() throws IOException {
        resolver.answers(GroupFilteringTest::alias);
        try (ForwarderFixture fixture = fixture(children("ads"), off())) {
            for (int i = 0; i < 2; i++) {
                assertThat(code(fixture, CHILD, "metrics.shop.example"))
                        .as("the games list does not apply to the children group")
                        .isEqualTo(Rcode.NOERROR);
                assertThat(code(fixture, OTHER, "metrics.shop.example")).isEqualTo(Rcode.NXDOMAIN);
                assertThat(code(fixture, GUEST, "metrics.shop.example")).isEqualTo(Rcode.NOERROR);
            }
            assertThat(resolver.queries("metrics.shop.example")).isEqualTo(1);
        }
    }

    @Test
    void scheduleSelectsLists() throws IOException {
        Period always = new Period(
                EnumSet.allOf(java.time.DayOfWeek.class), LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, List.of("games"));
        Filter filter = new Filter(
                Optional.of(List.of("ads")),
                Optional.empty(),
                List.of(),
                Optional.of(ZoneId.of("Asia/Kathmandu")),
                List.of(always));
        try (ForwarderFixture fixture = fixture(group("children", "127.0.7.0/24", Optional.of(filter)))) {
            assertThat(code(fixture, CHILD, "games.example")).isEqualTo(Rcode.NXDOMAIN);
            assertThat(code(fixture, CHILD, "ads.example")).isEqualTo(Rcode.NOERROR);
            assertThat(state(fixture).groups().get(1).lists()).containsExactly("games");
        }
    }

    @Test
    void pauseAffectsOnlyItsGroup() throws IOException {
        try (ForwarderFixture fixture = fixture(children("ads", "games"))) {
            FilterControl filter =
                    fixture.frontend().forwarding().filterControl().orElseThrow();
            filter.pause(Duration.ofMinutes(5), Optional.of("children"), "alice");
            assertThat(code(fixture, CHILD, "ads.example")).isEqualTo(Rcode.NOERROR);
            assertThat(code(fixture, OTHER, "ads.example")).isEqualTo(Rcode.NXDOMAIN);
            assertThat(state(fixture).groups().get(1).pause().orElseThrow().operatorName())
                    .isEqualTo("alice");

            filter.pause(Duration.ofMinutes(5), Optional.empty(), "");
            assertThat(code(fixture, OTHER, "ads.example")).isEqualTo(Rcode.NOERROR);
            fixture.reload(config -> with(config, children("ads")));
            assertThat(code(fixture, OTHER, "ads.example")).as("after a reload").isEqualTo(Rcode.NOERROR);

            filter.resume(Optional.empty(), "");
            assertThat(code(fixture, OTHER, "ads.example")).isEqualTo(Rcode.NXDOMAIN);
            assertThat(code(fixture, CHILD, "ads.example")).isEqualTo(Rcode.NXDOMAIN);
            assertThat(state(fixture).globalPause()).isEmpty();
            assertThatThrownBy(() -> filter.pause(Duration.ofMinutes(5), Optional.of("nobody"), ""))
                    .hasMessageContaining("group: nobody (expected: one of [default, children])");
            assertThatThrownBy(() -> filter.pause(Duration.ofDays(2), Optional.empty(), ""))
                    .hasMessageContaining("expected: 1..86400");
        }
    }

    @Test
    void operatorRulesApplyImmediatelyAndPersist() throws IOException {
        resolver.answers(GroupFilteringTest::alias);
        try (ForwarderFixture fixture = fixture(children("ads"))) {
            FilterControl filter =
                    fixture.frontend().forwarding().filterControl().orElseThrow();
            assertThat(code(fixture, CHILD, "shop.example")).isEqualTo(Rcode.NOERROR);
            filter.block("games.example", "alice");
            assertThat(code(fixture, CHILD, "shop.example"))
                    .as("the cached answer leads to a name blocked since")
                    .isEqualTo(Rcode.NXDOMAIN);
            filter.block("shop.example", "");
            filter.allow("good.shop.example.", "");
            assertThat(code(fixture, CHILD, "shop.example")).isEqualTo(Rcode.NXDOMAIN);
            assertThat(code(fixture, CHILD, "a.good.shop.example")).isEqualTo(Rcode.NOERROR);
            filter.removeRule("games.example", "");
            filter.allow("ads.example", "");
            assertThat(code(fixture, OTHER, "ads.example")).isEqualTo(Rcode.NOERROR);
            assertThat(fixture.frontend().forwarding().blockedByList()).containsEntry("operator", 2L);
            assertThatThrownBy(() -> filter.removeRule("unknown.example", "")).hasMessageContaining("unknown.example");
            assertThatThrownBy(() -> filter.block("no name", "")).hasMessageContaining("no name");
        }
        try (ForwarderFixture fixture = fixture(children("ads"))) {
            assertThat(code(fixture, CHILD, "shop.example")).isEqualTo(Rcode.NXDOMAIN);
            assertThat(state(fixture).operatorRules()).hasSize(3);
        }
        Files.writeString(directory.resolve("lists").resolve("operator.rules"), "||a.example^\nnonsense\n");
        assertThatThrownBy(() -> fixture(children("ads")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("operator.rules: rule: nonsense (expected: ||name^ or @@||name^)");
    }

    @Test
    void blockNeedsFilter() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(config -> config, control, directory, resolver)) {
            FilterControl filter =
                    fixture.frontend().forwarding().filterControl().orElseThrow();
            assertThatThrownBy(() -> filter.block("games.example", ""))
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("dns.forward.filter");
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_BLOCKED))
                    .isZero();
        }
    }

    private static FilterState state(ForwarderFixture fixture) {
        return fixture.frontend().forwarding().filterControl().orElseThrow().state();
    }

    private static int code(ForwarderFixture fixture, String client, String name) throws IOException {
        return fixture.queryFrom(client, name, Type.A).getRcode();
    }

    /** Answers every query with an alias to a blocked name. */
    private static Message alias(Message query) {
        Message reply = FakeResolver.reply(query, Rcode.NOERROR);
        reply.addRecord(
                new CNAMERecord(query.getQuestion().getName(), DClass.IN, 300, Messages.name("cdn.games.example")),
                Section.ANSWER);
        reply.addRecord(
                new ARecord(Messages.name("cdn.games.example"), DClass.IN, 300, InetAddress.getLoopbackAddress()),
                Section.ANSWER);
        return reply;
    }

    private static DnsClientGroup children(String... lists) {
        Filter filter =
                new Filter(Optional.of(List.of(lists)), Optional.empty(), List.of(), Optional.empty(), List.of());
        return group("children", "127.0.7.0/24", Optional.of(filter));
    }

    private static DnsClientGroup off() {
        return group("guests", "127.0.7.64/26", Optional.empty());
    }

    private static DnsClientGroup group(String name, String network, Optional<Filter> filter) {
        return new DnsClientGroup(name, List.of(Cidr.parse(network)), filter);
    }

    private static RuleList list(String name, String rule) {
        return new RuleList(
                name,
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.empty(),
                Optional.empty(),
                List.of(rule),
                RuleList.DEFAULT_REFRESH,
                RuleList.DEFAULT_MAX_SIZE_BYTES);
    }

    private ForwarderFixture fixture(DnsClientGroup... groups) throws IOException {
        return new ForwarderFixture(config -> with(config, groups), control, directory, resolver);
    }

    private static DnsForwardConfig with(DnsForwardConfig config, DnsClientGroup... groups) {
        DnsFilterConfig filter = new DnsFilterConfig(
                List.of(list("ads", "||ads.example^"), list("games", "||games.example^")),
                Answer.NXDOMAIN,
                List.of(),
                DnsFilterConfig.DEFAULT_TTL,
                DnsFilterConfig.DEFAULT_MAX_RULES,
                List.of(),
                List.of());
        return config.toBuilder()
                .filter(Optional.of(filter))
                .policy(new DnsPolicyConfig(Arrays.asList(groups), Optional.empty()))
                .build();
    }
}
