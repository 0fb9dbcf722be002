package io.ballast.dns.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.core.net.IpAddress;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.answer.forwarded.ForwardLoops;
import io.ballast.dns.answer.forwarded.ForwardedSource;
import io.ballast.dns.config.forward.DnsClientGroup;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.config.forward.DnsForwardConfig.Route;
import io.ballast.dns.config.forward.DnsForwardConfig.Upstream;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.forward.ForwarderSnapshot;
import io.ballast.dns.forward.ForwardingState;
import io.ballast.dns.forward.ListSetup;
import io.ballast.dns.forward.cache.AnswerReader;
import io.ballast.dns.forward.cache.ParsedAnswer.Taken;
import io.ballast.dns.forward.cache.TtlLimits;
import io.ballast.dns.forward.filter.AnswerFilter;
import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.question.QuerySubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that immediate answers for names outside the zones do not allocate, with client groups and filter lists. */
class ForwardedAllocationTest {

    private static final int ROUNDS = 20_000;
    private static final int RUNS = 3;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Client client = new Client();

    @ParameterizedTest
    @CsvSource({
        "kept.example, kept.example, 0",
        "networks.example, , 0",
        "good.ads.example, good.ads.example, 0",
        "tracked.example, tracked.example, 3",
        "www.ads.example, , 3",
        "byhand.example, , 0",
        "alias.example, , 0",
        "www.own.example, kept.example, 0"
    })
    void answersAtOnceAllocateNothing(String queriedName, String keptName, int rcode, @TempDir Path directory)
            throws IOException {
        Path zone = Files.writeString(
                directory.resolve("zone"),
                "$TTL 60\n@ SOA ns1 host 1 60 60 60 60\n@ NS ns1\nns1 A 192.0.2.53\nwww CNAME kept.example.\n");
        ZoneFixture fixture =
                new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.1")).zone("own.example", zone);
        CompiledZones zones = CompiledZones.start(fixture.dns(), ZoneInputs.of(fixture.topology()));
        NameHash hash = zones.published().hash();
        ListSetup lists = new ListSetup(scheduler.controlPlane(), Runnable::run, Runnable::run, directory);
        ForwarderSnapshot forwarding = new ForwardingState(hash, lists)
                .prepare(config(), fixture.topology())
                .forwarding();
        keep(forwarding, hash, "other.example", /* flags= */ 0);
        keepForNetworks(forwarding, hash);
        if (keptName != null) {
            keep(forwarding, hash, keptName, /* flags= */ 0);
        }
        AnswerConfig config = new AnswerConfig(
                zones.published(),
                AnswerSettings.OPEN,
                new ForwardedSource(forwarding, new ForwardLoops(List.of()), System::nanoTime, CidrSet.EMPTY));
        Answerer answerer =
                new Answerer(new ActiveAnswerConfig(config), new DnsStats(1).shard(0), new SplittableRandom(1));
        byte[] query = Messages.query(queriedName, Type.A).toWire();
        byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];

        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long min = Long.MAX_VALUE;
        answerAll(answerer, query, out, rcode);
        for (int run = 0; run < RUNS; run++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            answerAll(answerer, query, out, rcode);
            min = Math.min(min, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(min).as("bytes for %s queries", ROUNDS).isLessThan(ROUNDS / 10);
    }

    private void answerAll(Answerer answerer, byte[] query, byte[] out, int rcode) {
        for (int i = 0; i < ROUNDS; i++) {
            client.bytes()[0] = 10;
            client.bytes()[1] = (byte) (i & 1);
            client.set(/* bytes= */ 4, /* sourcePort= */ 5353);
            int length = answerer.answer(query, query.length, client, out, Transport.UDP);
            if (length <= 0 || (out[3] & 0x0f) != rcode) {
                throw new AssertionError("answered by " + length + " bytes, code " + (out[3] & 0x0f));
            }
        }
    }

    /** Caches answers for more networks than those of the querying clients. */
    private static void keepForNetworks(ForwarderSnapshot forwarding, NameHash hash) throws IOException {
        for (int i = 0; i < 100; i++) {
            QuerySubnet queriedName = new QuerySubnet();
            IpAddress address = IpAddress.parse("10." + i + ".0.0");
            queriedName.setNetwork(
                    address.high(), address.low(), 24, /* isLongest= */ true, /* isFromClientOption= */ false);
            keep(forwarding, hash, "networks.example", /* flags= */ 0, queriedName.toSubnet());
        }
    }

    private static void keep(ForwarderSnapshot forwarding, NameHash hash, String name, int flags) throws IOException {
        keep(forwarding, hash, name, flags, /* subnet= */ null);
    }

    /** Caches an answer with an alias, as if a resolver had sent it. */
    private static void keep(
            ForwarderSnapshot forwarding, NameHash hash, String name, int flags, @Nullable ClientSubnet subnet)
            throws IOException {
        Message query = Messages.query(name, Type.A);
        Message reply = FakeResolver.reply(query, Rcode.NOERROR);
        String leadsTo = name.startsWith("tracked") ? "x.tracker.example" : "cdn.example";
        reply.addRecord(new CNAMERecord(Messages.name(name), DClass.IN, 3600, Messages.name(leadsTo)), Section.ANSWER);
        reply.addRecord(
                new ARecord(Messages.name(leadsTo), DClass.IN, 3600, InetAddress.getLoopbackAddress()), Section.ANSWER);
        byte[] wire = reply.toWire();
        byte[] bytes = Messages.name(name).toWireCanonical();
        QueryName parsed = new QueryName(hash);
        parsed.read(bytes, 0, bytes.length);
        parsed.hash();
        int group = forwarding.routes().find(parsed, 0, 0).group();
        Question shared = Question.of(parsed, Type.A, flags, group);
        Question question = subnet == null ? shared : shared.withSubnet(subnet);
        long now = System.nanoTime();
        AnswerFilter evaluator = new AnswerFilter(hash).setFilter(forwarding.filter());
        Taken taken = (Taken) new AnswerReader(TtlLimits.DEFAULT).read(wire, wire.length, question, now, evaluator);
        forwarding.settings().cache().put(question, taken.answer().withScope(subnet == null ? 0 : subnet.bits()));
    }

    private static DnsForwardConfig config() {
        RuleList list = new RuleList(
                "mine",
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.empty(),
                Optional.empty(),
                List.of("||ads.example^", "@@||good.ads.example^", "||tracker.example^"),
                RuleList.DEFAULT_REFRESH,
                RuleList.DEFAULT_MAX_SIZE_BYTES);
        DnsFilterConfig filter = new DnsFilterConfig(
                List.of(list),
                Answer.NXDOMAIN,
                List.of(),
                DnsFilterConfig.DEFAULT_TTL,
                DnsFilterConfig.DEFAULT_MAX_RULES,
                List.of(),
                List.of(
                        new Rewrite("byhand.example", List.of(IpAddress.parse("192.0.2.9")), Optional.empty()),
                        new Rewrite("alias.example", List.of(), Optional.empty(), Optional.of("other.example"))));
        DnsClientGroup.Filter own = new DnsClientGroup.Filter(
                Optional.of(List.of("mine")), Optional.empty(), List.of(), Optional.empty(), List.of());
        DnsClientGroup group = new DnsClientGroup("some", List.of(Cidr.parse("10.1.0.0/16")), Optional.of(own));
        Upstream option = new Upstream(
                "web",
                Protocol.UDP,
                Upstream.DEFAULT_PATH,
                Optional.of(new DnsClientSubnetConfig(24, 56, /* sendsPrivate= */ true)));
        DnsForwardConfig config = DnsForwardConfig.of("web");
        return config.toBuilder()
                .filter(Optional.of(filter))
                .routes(List.of(new Route(List.of("networks.example"), List.of(), option)))
                .policy(new DnsPolicyConfig(List.of(group), Optional.empty()))
                .build();
    }
}
