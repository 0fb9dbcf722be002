package io.ballast.dns.forward;

import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Base of the tests about a zone with aliases to outside names. */
abstract class OutgoingAliasFixtureTest extends FilteredForwarderTest {

    static final String WWW = "www.own.test. CNAME edge.cdn.example.";
    static final String EDGE = "edge.cdn.example. A 192.0.2.1";

    ForwarderFixture fixture() throws IOException {
        return fixture(config -> config);
    }

    ForwarderFixture fixture(UnaryOperator<DnsForwardConfig> change) throws IOException {
        return new ForwarderFixture(change, this::zone, control, directory, resolver);
    }

    ZoneFixture zone(ZoneFixture fixture) {
        return zone(fixture, """
                www     CNAME edge.cdn.example.
                second  CNAME www
                missing CNAME missing.cdn.example.
                d       DNAME cdn.example.
                host    A 192.0.2.77
                """);
    }

    ZoneFixture zone(ZoneFixture fixture, String records) {
        try {
            Path file = Files.writeString(
                    directory.resolve("own.zone"),
                    "$TTL 77\n@ SOA ns1 host 1 7200 3600 1209600 60\n@ NS ns1\nns1 A 192.0.2.53\n" + records);
            return fixture.zone("own.test", file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static UnaryOperator<DnsForwardConfig> filter(String rules, Rewrite... rewrites) {
        RuleList list = new RuleList(
                "mine",
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.empty(),
                Optional.empty(),
                rules.lines().toList(),
                RuleList.DEFAULT_REFRESH,
                RuleList.DEFAULT_MAX_SIZE_BYTES);
        DnsFilterConfig filter = new DnsFilterConfig(
                List.of(list),
                Answer.NXDOMAIN,
                List.of(),
                DnsFilterConfig.DEFAULT_TTL,
                DnsFilterConfig.DEFAULT_MAX_RULES,
                List.of(),
                List.of(rewrites));
        return config -> config.toBuilder().filter(Optional.of(filter)).build();
    }

    static Message edns(String name, int flags) {
        return Messages.query(name, Type.A, new OPTRecord(1232, 0, 0, flags));
    }

    static List<Integer> errors(Message answer) {
        return answer.getOPT().getOptions().stream()
                .filter(ExtendedErrorCodeOption.class::isInstance)
                .map(option -> ((ExtendedErrorCodeOption) option).getErrorCode())
                .toList();
    }

    /** Returns owner, type and data of each record in the answer section. */
    static List<String> records(Message answer) {
        return answer.getSection(Section.ANSWER).stream()
                .map(record -> record.getName() + " " + Type.string(record.getType()) + " " + record.rdataToString())
                .toList();
    }

    static long count(ForwarderFixture fixture, DnsCounter counter) {
        return fixture.frontend().stats().sum(counter);
    }
}
