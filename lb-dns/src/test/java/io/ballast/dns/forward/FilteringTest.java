package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that blocked names and names with fixed answers are not sent to a resolver. */
class FilteringTest extends FilteredForwarderTest {

    private static final List<IpAddress> NONE = List.of();

    @Test
    void blockedNameIsNxdomain() throws IOException {
        try (ForwarderFixture fixture = fixture(rules("||ads.example^"))) {
            Message answer = fixture.query(Messages.query("a.ADS.example", Type.A, new OPTRecord(1232, 0, 0)));

            assertThat(answer.getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(answer.getQuestion().getName()).hasToString("a.ADS.example.");
            assertThat(answer.getSection(Section.AUTHORITY)).hasSize(1);
            assertThat(answer.getSection(Section.AUTHORITY).get(0).getTTL()).isEqualTo(10);
            assertThat(((ExtendedErrorCodeOption) answer.getOPT()
                                    .getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR)
                                    .get(0))
                            .getErrorCode())
                    .isEqualTo(15);
            assertThat(resolver.queries()).isEmpty();
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_BLOCKED))
                    .isEqualTo(1);
            assertThat(fixture.frontend().forwarding().blockedByList()).isEqualTo(Map.of("mine", 1L));
            assertThat(fixture.query("notads.example", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void allowOverridesBlock() throws IOException {
        try (ForwarderFixture fixture = fixture(rules("||example^", "@@||good.example^"))) {
            assertThat(fixture.query("bad.example", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(Messages.answers(fixture.query("www.good.example", Type.A)))
                    .containsExactly("192.0.2.1");
        }
    }

    @Test
    void blockedAnswerIsConfigurable() throws IOException {
        assertThat(Messages.answers(query(Answer.ZERO, NONE, Type.A))).containsExactly("0.0.0.0");
        assertThat(Messages.answers(query(Answer.ZERO, NONE, Type.AAAA))).containsExactly("0:0:0:0:0:0:0:0");
        assertThat(query(Answer.REFUSED, NONE, Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
        Message nodata = query(Answer.NODATA, NONE, Type.A);
        assertThat(nodata.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(nodata.getSection(Section.AUTHORITY)).hasSize(1);
        List<IpAddress> own = List.of(IpAddress.parse("192.0.2.7"), IpAddress.parse("2001:db8::7"));
        assertThat(Messages.answers(query(Answer.ADDRESSES, own, Type.A))).containsExactly("192.0.2.7");
        assertThat(Messages.answers(query(Answer.ADDRESSES, own, Type.AAAA))).containsExactly("2001:db8:0:0:0:0:0:7");
        Message other = query(Answer.ADDRESSES, own, Type.MX);
        assertThat(other.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(other.getSection(Section.ANSWER)).isEmpty();
    }

    private Message query(Answer answer, List<IpAddress> addresses, int type) throws IOException {
        DnsFilterConfig config = filter(List.of(list("||ads.example^")), answer, addresses, List.of(), List.of());
        try (ForwarderFixture fixture = fixture(config)) {
            return fixture.query("ads.example", type);
        }
    }

    @Test
    void aliasToBlockedNameIsBlocked() throws IOException {
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NOERROR);
            reply.addRecord(
                    new CNAMERecord(
                            query.getQuestion().getName(), DClass.IN, 300, Messages.name("tracker.ads.example")),
                    Section.ANSWER);
            reply.addRecord(
                    new ARecord(Messages.name("tracker.ads.example"), DClass.IN, 300, InetAddress.getLoopbackAddress()),
                    Section.ANSWER);
            return reply;
        });
        try (ForwarderFixture fixture = fixture(rules("||ads.example^"))) {
            assertThat(fixture.query("metrics.shop.example", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(fixture.query("metrics.shop.example", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(resolver.queries("metrics.shop.example")).isEqualTo(1);
            assertThat(fixture.frontend().forwarding().blockedByList()).isEqualTo(Map.of("mine", 2L));
        }
        try (ForwarderFixture fixture = fixture(rules("||ads.example^", "@@||metrics.shop.example^"))) {
            assertThat(fixture.query("metrics.shop.example", Type.A).getRcode())
                    .as("aliases of an allowed name are not checked")
                    .isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void exemptClientIsNotFiltered() throws IOException {
        DnsFilterConfig config = filter(
                List.of(list("||ads.example^")), Answer.NXDOMAIN, NONE, List.of(Cidr.parse("127.0.0.0/8")), List.of());
        try (ForwarderFixture fixture = fixture(config)) {
            assertThat(Messages.answers(fixture.query("ads.example", Type.A))).containsExactly("192.0.2.1");
        }
    }

    @Test
    void rewritesApplyToAllClients() throws IOException {
        List<Rewrite> rewrites = List.of(
                new Rewrite("*.dev.example", List.of(IpAddress.parse("192.0.2.8")), Optional.empty()),
                new Rewrite("real.dev.example", NONE, Optional.empty()),
                new Rewrite("gone.dev.example", NONE, Optional.of(Answer.NXDOMAIN)));
        DnsFilterConfig config = filter(List.of(), Answer.NXDOMAIN, NONE, List.of(Cidr.parse("127.0.0.0/8")), rewrites);
        try (ForwarderFixture fixture = fixture(config)) {
            assertThat(Messages.answers(fixture.query("a.dev.example", Type.A))).containsExactly("192.0.2.8");
            assertThat(fixture.query("a.dev.example", Type.AAAA).getSection(Section.ANSWER))
                    .isEmpty();
            assertThat(fixture.query("gone.dev.example", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(Messages.answers(fixture.query("real.dev.example", Type.A)))
                    .containsExactly("192.0.2.1");
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_REWRITTEN))
                    .isEqualTo(3);
        }
    }

    @Test
    void reloadedListsApplyToCachedAnswers() throws Exception {
        Path file = Files.writeString(directory.resolve("list"), "||other.example^\n");
        try (ForwarderFixture fixture = fixture(rules("||ads.example^"))) {
            assertThat(fixture.query("www.other.example", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            fixture.reload(config -> with(config, filter(List.of(inFile(file)))));
            assertThat(fixture.query("www.other.example", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(fixture.query("ads.example", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);

            Path missing = directory.resolve("missing");
            assertThatThrownBy(() -> fixture.reload(config -> with(config, filter(List.of(inFile(missing))))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("file");
            assertThat(fixture.query("www.other.example", Type.A).getRcode())
                    .as("the old configuration stays active")
                    .isEqualTo(Rcode.NXDOMAIN);
        }
    }

    private static RuleList inFile(Path file) {
        return new RuleList(
                "file",
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.of(file),
                Optional.empty(),
                List.of(),
                RuleList.DEFAULT_REFRESH,
                RuleList.DEFAULT_MAX_SIZE_BYTES);
    }

    private static RuleList list(String... rules) {
        return new RuleList(
                "mine",
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.empty(),
                Optional.empty(),
                List.of(rules),
                RuleList.DEFAULT_REFRESH,
                RuleList.DEFAULT_MAX_SIZE_BYTES);
    }

    private static DnsFilterConfig rules(String... rules) {
        return filter(List.of(list(rules)));
    }

    private static DnsFilterConfig filter(List<RuleList> lists) {
        return filter(lists, Answer.NXDOMAIN, NONE, List.of(), List.of());
    }

    private static DnsFilterConfig filter(
            List<RuleList> lists, Answer answer, List<IpAddress> addresses, List<Cidr> exempt, List<Rewrite> rewrites) {
        return new DnsFilterConfig(
                lists, answer, addresses, Duration.ofSeconds(10), DnsFilterConfig.DEFAULT_MAX_RULES, exempt, rewrites);
    }

    private ForwarderFixture fixture(DnsFilterConfig filter) throws IOException {
        UnaryOperator<DnsForwardConfig> change = config -> with(config, filter);
        return new ForwarderFixture(change, control, directory, resolver);
    }

    private static DnsForwardConfig with(DnsForwardConfig config, DnsFilterConfig filter) {
        return config.toBuilder().filter(Optional.of(filter)).build();
    }
}
