package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.TlsFiles;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Upstream;
import io.ballast.dns.config.forward.DnsValidationConfig;
import io.ballast.dns.config.forward.DnsValidationConfig.Mode;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSIDOption;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Tests that each answer matches its own query, on every path. Sends all combinations of query properties for one name
 * in turn, so that each is answered with data fetched for another.
 */
class IdentityTest {

    private static final String NAME = "mixed.case.example.org";
    private static final String TARGET = "target.example.net";
    private static final int SCOPE = 23;
    private static final int THREADS = 32;

    @TempDir
    private Path directory;

    private final SplittableRandom random = new SplittableRandom(42);
    private final TestCertificate certificate = TestCertificate.create();
    private final HttpClient https =
            HttpClient.newBuilder().sslContext(certificate.client()).build();

    /** How the answers are made. */
    enum Way {
        MISS(Optional.empty()),
        HIT(Optional.of(DnsCacheConfig.DEFAULT)),
        /** For a client subnet, cached or not. */
        TAILORED(Optional.of(DnsCacheConfig.DEFAULT)),
        /** Exempt from validation by a negative trust anchor. */
        VALIDATED(Optional.of(DnsCacheConfig.DEFAULT)),
        STALE(Optional.of(brief())),
        FAILED(Optional.empty()),
        /** Blocked by name, immediately. */
        BLOCKED(Optional.of(DnsCacheConfig.DEFAULT)),
        /** Blocked by the target of the answer, cached or not. */
        BLOCKED_ANSWER(Optional.of(DnsCacheConfig.DEFAULT)),
        REWRITTEN(Optional.of(DnsCacheConfig.DEFAULT)),
        /** Rewritten to an alias of another name, cached or not. */
        ALIASED(Optional.of(DnsCacheConfig.DEFAULT)),
        /** An alias in a zone to an outside name, cached or not; for queries with RD. */
        OUTGOING(Optional.of(DnsCacheConfig.DEFAULT));

        private final Optional<DnsCacheConfig> cache;

        Way(Optional<DnsCacheConfig> cache) {
            this.cache = cache;
        }

        boolean isAlias() {
            return this == ALIASED || this == OUTGOING;
        }

        boolean isBlocked() {
            return this == BLOCKED || this == BLOCKED_ANSWER;
        }

        Optional<DnsFilterConfig> filter() {
            return switch (this) {
                case BLOCKED -> Optional.of(filter("||case.example.org^", List.of()));
                case BLOCKED_ANSWER -> Optional.of(filter("192.0.2.0/24", List.of()));
                case REWRITTEN ->
                    Optional.of(filter(
                            "||unused.example^",
                            List.of(new Rewrite(NAME, List.of(IpAddress.parse("192.0.2.1")), Optional.empty()))));
                case ALIASED ->
                    Optional.of(filter(
                            "||unused.example^",
                            List.of(new Rewrite(
                                    "*.case.example.org", List.of(), Optional.empty(), Optional.of(TARGET)))));
                default -> Optional.empty();
            };
        }

        private static DnsFilterConfig filter(String rule, List<Rewrite> rewrites) {
            RuleList list = new RuleList(
                    "mine",
                    Kind.BLOCK,
                    /* enabled= */ true,
                    Optional.empty(),
                    Optional.empty(),
                    List.of(rule),
                    RuleList.DEFAULT_REFRESH,
                    RuleList.DEFAULT_MAX_SIZE_BYTES);
            return new DnsFilterConfig(
                    List.of(list),
                    DnsFilterConfig.Answer.NXDOMAIN,
                    List.of(),
                    DnsFilterConfig.DEFAULT_TTL,
                    DnsFilterConfig.DEFAULT_MAX_RULES,
                    List.of(),
                    rewrites);
        }

        /** Returns a cache whose answers expire at once. */
        private static DnsCacheConfig brief() {
            return new DnsCacheConfig(
                    1 << 20,
                    Duration.ZERO,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    Duration.ofDays(1),
                    Duration.ofMillis(1),
                    /* prefetch= */ false,
                    /* snapshot= */ false);
        }
    }

    /** The transport. */
    enum Via {
        UDP,
        TCP,
        DOT,
        DOH
    }

    /** One combination of query properties. */
    private record QueryProperties(
            boolean rd,
            boolean cd,
            boolean edns,
            boolean dnssecOk,
            boolean cookie,
            boolean nsid,
            boolean subnet,
            Via via) {

        static List<QueryProperties> all() {
            List<QueryProperties> all = new ArrayList<>();
            for (int bits = 0; bits < 1 << 9; bits++) {
                boolean edns = (bits & 4) != 0;
                if (edns || (bits & (8 | 16 | 32 | 64)) == 0) {
                    all.add(new QueryProperties(
                            (bits & 1) != 0,
                            (bits & 2) != 0,
                            edns,
                            (bits & 8) != 0,
                            (bits & 16) != 0,
                            (bits & 32) != 0,
                            (bits & 64) != 0,
                            Via.values()[bits >> 7]));
                }
            }
            return all;
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void responseFieldsBelongToTheirClient(Way way) throws Exception {
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ControlPlane control = ControlPlane.start(Clock.systemUTC());
                ForwarderFixture fixture = new ForwarderFixture(
                        config -> of(config, way),
                        others -> zone(others, way),
                        encrypted(),
                        control,
                        directory,
                        resolver)) {
            prepare(way, resolver, fixture);
            List<Message> queries = new ArrayList<>();
            for (QueryProperties properties : QueryProperties.all()) {
                queries.add(query(properties));
            }
            List<Message> answers = way == Way.FAILED ? askTogether(queries, fixture) : askInTurn(queries, fixture);
            for (int i = 0; i < queries.size(); i++) {
                check(way, QueryProperties.all().get(i), queries.get(i), answers.get(i));
            }
        }
    }

    private List<DnsListenerConfig> encrypted() throws IOException {
        TlsFiles files = certificate.write(directory);
        return List.of(
                Reload.encrypted(Reload.free(), Protocol.DOT, files),
                Reload.encrypted(Reload.free(), Protocol.DOH, files));
    }

    private ZoneFixture zone(ZoneFixture fixture, Way way) {
        if (way != Way.OUTGOING) {
            return fixture;
        }
        try {
            Path file = Files.writeString(directory.resolve("zone"), """
                    $TTL 300
                    @ SOA ns1 host 1 7200 3600 1209600 60
                    @ NS ns1
                    ns1 A 192.0.2.53
                    mixed CNAME target.example.net.
                    """);
            return fixture.zone("case.example.org", file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Message> askInTurn(List<Message> queries, ForwarderFixture fixture) throws IOException {
        List<Message> answers = new ArrayList<>();
        StreamClient dot = null;
        try {
            for (int i = 0; i < queries.size(); i++) {
                Via via = QueryProperties.all().get(i).via();
                if (via == Via.DOT && dot == null) {
                    dot = connectByTls(fixture);
                }
                answers.add(query(via, queries.get(i), fixture, dot));
            }
            return answers;
        } finally {
            if (dot != null) {
                dot.close();
            }
        }
    }

    /** Sends many queries at a time, because each answer is slow. */
    private List<Message> askTogether(List<Message> queries, ForwarderFixture fixture) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Message>> answers = new ArrayList<>();
            for (int i = 0; i < queries.size(); i++) {
                Via via = QueryProperties.all().get(i).via();
                Message query = queries.get(i);
                answers.add(threads.submit(() -> {
                    try (StreamClient dot = via == Via.DOT ? connectByTls(fixture) : null) {
                        return query(via, query, fixture, dot);
                    }
                }));
            }
            List<Message> all = new ArrayList<>();
            for (Future<Message> answer : answers) {
                all.add(answer.get());
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    /** @param dot the connection for DNS over TLS */
    private Message query(Via via, Message query, ForwarderFixture fixture, @Nullable StreamClient dot)
            throws IOException {
        return switch (via) {
            case UDP -> fixture.query(query);
            case TCP -> fixture.queryOverTcp(query);
            case DOT -> {
                dot.send(StreamClient.framed(query.toWire()));
                yield dot.receive();
            }
            case DOH -> queryOverHttps(query, fixture.frontend().addresses().get(2));
        };
    }

    private StreamClient connectByTls(ForwarderFixture fixture) throws IOException {
        InetSocketAddress server = fixture.frontend().addresses().get(1);
        return new StreamClient(
                certificate.client().getSocketFactory().createSocket(server.getAddress(), server.getPort()));
    }

    private Message queryOverHttps(Message query, InetSocketAddress server) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + server.getPort() + "/dns-query"))
                .header("content-type", "application/dns-message")
                .POST(BodyPublishers.ofByteArray(query.toWire()))
                .build();
        try {
            return Messages.parse(
                    https.send(request, BodyHandlers.ofByteArray()).body());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void prepare(Way way, FakeResolver resolver, ForwarderFixture fixture) throws Exception {
        if (way == Way.TAILORED) {
            resolver.answers(query -> {
                Message reply = FakeResolver.reply(query, Rcode.NOERROR);
                reply.addRecord(
                        resolver.answer(query).getSection(Section.ANSWER).get(0), Section.ANSWER);
                ClientSubnetOption clientSubnet = SubnetResolver.subnetOf(query);
                if (clientSubnet != null) {
                    reply.addRecord(SubnetResolver.opt(24, SCOPE, clientSubnet.getAddress()), Section.ADDITIONAL);
                }
                return reply;
            });
        } else if (way == Way.FAILED) {
            resolver.isSilent();
        } else if (way == Way.STALE) {
            // One answer for each different question.
            Message last = null;
            for (QueryProperties properties : QueryProperties.all()) {
                last = query(properties);
                fixture.query(last);
            }
            resolver.fails(Rcode.SERVFAIL);
            fixture.awaitStale(last); // expires last
        }
    }

    private static DnsForwardConfig of(DnsForwardConfig config, Way way) {
        Duration timeout = way == Way.FAILED ? Duration.ofMillis(50) : Duration.ofSeconds(30);
        DnsForwardConfig changed = config.toBuilder()
                .timeout(timeout)
                .retryAfter(timeout)
                .cache(way.cache)
                .filter(way.filter())
                .build();
        if (way == Way.TAILORED) {
            return changed.toBuilder()
                    .upstream(new Upstream(
                            ForwarderFixture.POOL,
                            DnsForwardConfig.Protocol.UDP,
                            Upstream.DEFAULT_PATH,
                            Optional.of(DnsClientSubnetConfig.DEFAULT)))
                    .build();
        }
        return way == Way.VALIDATED
                ? changed.toBuilder()
                        .dnssec(new DnsValidationConfig(Mode.VALIDATE, Optional.empty(), List.of("example.org")))
                        .build()
                : changed;
    }

    private Message query(QueryProperties properties) throws IOException {
        Message query = new Message(random.nextInt(1 << 16));
        if (properties.rd()) {
            query.getHeader().setFlag(Flags.RD);
        }
        if (properties.cd()) {
            query.getHeader().setFlag(Flags.CD);
        }
        query.addRecord(Record.newRecord(Messages.name(mixed()), Type.A, DClass.IN), Section.QUESTION);
        if (properties.edns()) {
            List<EDNSOption> options = new ArrayList<>();
            if (properties.cookie()) {
                byte[] cookie = new byte[8];
                random.nextBytes(cookie);
                options.add(new CookieOption(cookie));
            }
            if (properties.nsid()) {
                options.add(new NSIDOption(new byte[0]));
            }
            if (properties.subnet()) {
                byte[] network = {(byte) 198, 51, (byte) random.nextInt(4), 0};
                options.add(new ClientSubnetOption(24, InetAddress.getByAddress(network)));
            }
            int flags = properties.dnssecOk() ? ExtendedFlags.DO : 0;
            query.addRecord(new OPTRecord(1232, 0, 0, flags, options), Section.ADDITIONAL);
        }
        return query;
    }

    private String mixed() {
        StringBuilder name = new StringBuilder();
        NAME.chars().forEach(c -> name.appendCodePoint(random.nextBoolean() ? Character.toUpperCase(c) : c));
        return name.toString();
    }

    private static void check(Way way, QueryProperties properties, Message query, Message answer) {
        assertThat(answer.getHeader().getID()).isEqualTo(query.getHeader().getID());
        assertThat(answer.getQuestion().getName().toString())
                .isEqualTo(query.getQuestion().getName().toString());
        assertThat(Messages.has(answer, Flags.RD)).as("RD of %s", properties).isEqualTo(properties.rd());
        boolean isForwarded = way != Way.OUTGOING || properties.rd();
        assertThat(Messages.has(answer, Flags.CD)).as("CD of %s", properties).isEqualTo(properties.cd() && isForwarded);
        assertThat(Messages.has(answer, Flags.QR)).isTrue();
        assertThat(Messages.has(answer, Flags.RA)).isEqualTo(isForwarded);
        assertThat(Messages.isAuthoritative(answer)).isEqualTo(way == Way.OUTGOING);
        assertThat(Messages.has(answer, Flags.AD))
                .as("the answer was not validated")
                .isFalse();
        OPTRecord opt = answer.getOPT();
        assertThat(opt != null).as("OPT of %s", properties).isEqualTo(properties.edns());
        if (opt != null) {
            assertThat((opt.getFlags() & ExtendedFlags.DO) != 0).isEqualTo(properties.dnssecOk());
            checkOptions(properties, query.getOPT(), opt);
            checkSubnet(way, properties, SubnetResolver.subnetOf(query), SubnetResolver.subnetOf(answer));
        }
        if (way == Way.FAILED) {
            assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(codes(opt)).isEqualTo(properties.edns() ? List.of(22) : List.of());
        } else if (way.isBlocked()) {
            assertThat(answer.getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(answer.getSection(Section.AUTHORITY)).hasSize(1);
            assertThat(codes(opt)).isEqualTo(properties.edns() ? List.of(15) : List.of());
        } else {
            assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
            List<Record> records = answer.getSection(Section.ANSWER);
            assertThat(records).hasSize(way.isAlias() && isForwarded ? 2 : 1);
            assertThat(records.get(0).getName().toString().toLowerCase(Locale.ROOT))
                    .isEqualTo(NAME + ".");
            String last = isForwarded ? "192.0.2.1" : TARGET + ".";
            assertThat(records.get(records.size() - 1).rdataToString()).isEqualTo(last);
        }
        if (way.isAlias() && isForwarded) {
            assertThat(answer.getSection(Section.ANSWER).get(0).rdataToString()).isEqualTo(TARGET + ".");
            assertThat(answer.getSection(Section.ANSWER).get(1).getName()).hasToString(TARGET + ".");
        }
        if (way == Way.ALIASED || way == Way.REWRITTEN) {
            assertThat(codes(opt)).isEqualTo(properties.edns() ? List.of(4) : List.of());
        }
        if (way == Way.STALE) {
            assertThat(answer.getSection(Section.ANSWER).get(0).getTTL()).isEqualTo(30);
            assertThat(codes(opt)).isEqualTo(properties.edns() ? List.of(3) : List.of());
        }
    }

    private static void checkOptions(QueryProperties properties, OPTRecord queried, OPTRecord opt) {
        List<EDNSOption> cookies = opt.getOptions(EDNSOption.Code.COOKIE);
        assertThat(cookies).hasSize(properties.cookie() ? 1 : 0);
        if (properties.cookie()) {
            CookieOption sent =
                    (CookieOption) queried.getOptions(EDNSOption.Code.COOKIE).get(0);
            CookieOption got = (CookieOption) cookies.get(0);
            assertThat(got.getClientCookie()).isEqualTo(sent.getClientCookie());
            assertThat(got.getServerCookie())
                    .hasValueSatisfying(server -> assertThat(server).hasSize(16));
        }
    }

    private static void checkSubnet(
            Way way,
            QueryProperties properties,
            @Nullable ClientSubnetOption queried,
            @Nullable ClientSubnetOption clientSubnet) {
        if (!properties.subnet()) {
            assertThat(clientSubnet).isNull();
            return;
        }
        assertThat(clientSubnet.getAddress()).isEqualTo(queried.getAddress());
        assertThat(clientSubnet.getSourcePrefixLength()).isEqualTo(queried.getSourcePrefixLength());
        assertThat(clientSubnet.getScopePrefixLength()).isEqualTo(way == Way.TAILORED ? SCOPE : 0);
    }

    private static List<Integer> codes(OPTRecord opt) {
        return opt == null
                ? List.of()
                : opt.getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR).stream()
                        .map(option -> ((ExtendedErrorCodeOption) option).getErrorCode())
                        .toList();
    }
}
