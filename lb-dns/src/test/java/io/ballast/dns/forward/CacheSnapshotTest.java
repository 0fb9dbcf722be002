package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.forward.cache.AnswerCache;
import io.ballast.dns.forward.cache.AnswerReader;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.cache.ParsedAnswer;
import io.ballast.dns.forward.cache.TtlLimits;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class CacheSnapshotTest {

    private static final Instant THEN = Instant.parse("2026-11-24T12:00:00Z");
    private static final UnaryOperator<DnsForwardConfig> SAVES = change(/* snapshot= */ true);

    @TempDir
    private Path directory;

    private Path file;
    private FakeResolver resolver;

    @BeforeEach
    void start() throws IOException {
        file = directory.resolve("dns-cache");
        resolver = new FakeResolver("192.0.2.1");
    }

    @AfterEach
    void stop() throws IOException {
        resolver.close();
    }

    private static UnaryOperator<DnsForwardConfig> change(boolean snapshot) {
        DnsCacheConfig cache = new DnsCacheConfig(
                1 << 20,
                Duration.ZERO,
                Duration.ofDays(1),
                Duration.ofHours(1),
                Duration.ofSeconds(5),
                Duration.ofDays(1),
                Duration.ofSeconds(2),
                /* prefetch= */ false,
                snapshot);
        return config -> config.toBuilder().cache(Optional.of(cache)).build();
    }

    @Test
    void nextProcessUsesSavedAnswers() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(SAVES, resolver)) {
            fixture.query("www.example.org", Type.A);
            fixture.query("www.example.org", Type.TXT); // the answer is NODATA
            resolver.fails(Rcode.SERVFAIL);
            fixture.query("fails.example.org", Type.A);
            assertThat(fixture.frontend().forwarding().save(file)).isEqualTo(2);
        }
        long queryCount = resolver.queries("www.example.org");
        try (ForwarderFixture fixture = new ForwarderFixture(SAVES, resolver)) {
            assertThat(fixture.frontend().forwarding().restore(file)).isEqualTo(2);

            Message address = fixture.query("WWW.example.org", Type.A);
            Message none = fixture.query("www.example.org", Type.TXT);
            fixture.query("fails.example.org", Type.A);

            assertThat(Messages.answers(address)).containsExactly("192.0.2.1");
            assertThat(none.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(resolver.queries("www.example.org")).isEqualTo(queryCount);
            assertThat(resolver.queries("fails.example.org")).isGreaterThan(1);
        }
    }

    @Test
    void subnetAnswersAreRestored() throws IOException {
        UnaryOperator<DnsForwardConfig> sending = config -> SAVES.apply(config).toBuilder()
                .upstream(new DnsForwardConfig.Upstream(
                        ForwarderFixture.POOL,
                        Protocol.UDP,
                        DnsForwardConfig.Upstream.DEFAULT_PATH,
                        Optional.of(DnsClientSubnetConfig.DEFAULT)))
                .build();
        String name = "cdn.example.org";
        List<Message> queries = List.of(
                SubnetResolver.query(name, "198.51.100.0", 24),
                SubnetResolver.query(name, "2001:db8::", 56),
                SubnetResolver.query(name, "198.51.0.0", 16),
                SubnetResolver.query(name, "0.0.0.0", 0),
                Messages.query(name, Type.TXT));
        SubnetResolver.tailors(
                resolver, subnet -> subnet.getSourcePrefixLength() == 16 ? 24 : subnet.getSourcePrefixLength());
        List<String> lines = new ArrayList<>();
        try (ForwarderFixture fixture = new ForwarderFixture(sending, resolver)) {
            for (Message query : queries) {
                lines.add(Messages.answers(fixture.query(query)).get(0));
            }
            fixture.query("www.example.org", Type.TXT);
            assertThat(lines).doesNotHaveDuplicates();
            assertThat(fixture.frontend().forwarding().save(file)).isEqualTo(6);
        }
        long queryCount = resolver.queries(name);
        try (ForwarderFixture fixture = new ForwarderFixture(sending, resolver)) {
            assertThat(fixture.frontend().forwarding().restore(file)).isEqualTo(6);
            assertThat(fixture.frontend().forwarding().restore(file))
                    .as("again")
                    .isZero();

            for (int i = 0; i < queries.size(); i++) {
                Message answer = fixture.query(queries.get(i));
                assertThat(Messages.answers(answer)).containsExactly(lines.get(i));
            }
            assertThat(resolver.queries(name)).isEqualTo(queryCount);
            fixture.query(SubnetResolver.query(name, "198.51.0.0", 20));
            assertThat(resolver.queries(name)).as("not for another network").isEqualTo(queryCount + 1);
        }
        try (ForwarderFixture fixture = new ForwarderFixture(SAVES, resolver)) {
            assertThat(fixture.frontend().forwarding().restore(file))
                    .as("other client subnet settings")
                    .isZero();
        }
    }

    @Test
    void fileIsPrivateToOwner() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(SAVES, resolver)) {
            fixture.query("www.example.org", Type.A);
            fixture.frontend().forwarding().save(file);
        }

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void writesNothingByDefault() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(change(/* snapshot= */ false), resolver)) {
            fixture.query("www.example.org", Type.A);
            assertThat(fixture.frontend().forwarding().save(file)).isZero();
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void incompleteFileIsIgnored() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(SAVES, resolver)) {
            fixture.query("www.example.org", Type.A);
            fixture.frontend().forwarding().save(file);
            byte[] whole = Files.readAllBytes(file);
            fixture.frontend().forwarding().flush(Optional.empty(), /* includesNamesBelow= */ false, Optional.empty());

            for (int length = 0; length < whole.length; length++) {
                Files.write(file, Arrays.copyOf(whole, length));
                assertThatThrownBy(() -> fixture.frontend().forwarding().restore(file))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("dns-cache: incomplete or corrupt");
            }
            for (int at = 0; at < whole.length; at++) {
                byte[] wrong = whole.clone();
                wrong[at] ^= 1;
                Files.write(file, wrong);
                assertThatThrownBy(() -> fixture.frontend().forwarding().restore(file))
                        .isInstanceOf(IOException.class);
            }
            assertThat(fixture.frontend()
                            .forwarding()
                            .cache()
                            .orElseThrow()
                            .statistics()
                            .entries())
                    .isZero();
        }
    }

    @Test
    void failedWriteKeepsPreviousFile() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(SAVES, resolver)) {
            fixture.query("www.example.org", Type.A);
            fixture.frontend().forwarding().save(file);
            Files.createDirectories(directory.resolve("dns-cache.new/full")); // blocks the temporary file
            byte[] before = Files.readAllBytes(file);
            fixture.query("web.example.org", Type.A);

            assertThatThrownBy(() -> fixture.frontend().forwarding().save(file)).isInstanceOf(IOException.class);
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }
    }

    @Test
    void ttlsContinueAcrossProcesses() throws IOException {
        assertThat(ageAfter(Duration.ofSeconds(100))).isEqualTo(100);
        assertThat(ageAfter(Duration.ofSeconds(FakeResolver.TTL + 59))).isEqualTo(FakeResolver.TTL + 59);
        assertThat(ageAfter(Duration.ofSeconds(FakeResolver.TTL + 60))).isEqualTo(-1); // too old even as a stale answer
        assertThat(ageAfter(Duration.ofSeconds(-1))).isEqualTo(-1); // the clock was set back
    }

    /** Returns the age of an answer that is saved immediately and read after {@code later}; -1 if it is dropped. */
    private int ageAfter(Duration later) throws IOException {
        NameHash hash = NameHash.random();
        UpstreamGroups groups = new UpstreamGroups();
        int group = groups.number(new DnsForwardConfig.Upstream("resolvers", Protocol.UDP));
        AnswerCache before = new AnswerCache(1 << 20, Duration.ofSeconds(60));
        Question question = question(hash, group);
        before.put(question, answer(question, /* nowNanos= */ 5_000));
        snapshot(before, groups, hash, THEN, 5_000).save(file);

        AnswerCache after = new AnswerCache(1 << 20, Duration.ofSeconds(60));
        long nowNanos = Long.MAX_VALUE - 7;
        snapshot(after, groups, hash, THEN.plus(later), nowNanos).restore(file);
        CacheEntry found = after.find(question, nowNanos);
        return found == null ? -1 : found.ageSeconds(nowNanos);
    }

    private static CacheSnapshot snapshot(
            AnswerCache cache, UpstreamGroups groups, NameHash hash, Instant now, long nowNanos) {
        ForwardSettings settings =
                ForwardSettings.of(DnsForwardConfig.of("resolvers"), cache, /* filter= */ null, /* validator= */ null);
        return new CacheSnapshot(cache, settings, groups, hash, Clock.fixed(now, ZoneOffset.UTC), () -> nowNanos);
    }

    private static Question question(NameHash hash, int group) {
        byte[] query = Messages.query("www.example.org", Type.A).toWire();
        QueryName name = new QueryName(hash);
        name.read(query, Wire.HEADER_BYTES, query.length);
        name.hash();
        return Question.of(name, Type.A, /* flags= */ 0, group);
    }

    private CacheEntry answer(Question question, long nowNanos) throws IOException {
        byte[] reply = FakeResolver.reply(Messages.query("www.example.org", Type.A), Rcode.NOERROR)
                .toWire();
        Message message = new Message(reply);
        message.addRecord(
                Record.fromString(
                        Messages.name("www.example.org"), Type.A, DClass.IN, FakeResolver.TTL, "192.0.2.1", Name.root),
                Section.ANSWER);
        byte[] bytes = message.toWire();
        ParsedAnswer read = new AnswerReader(TtlLimits.DEFAULT).read(bytes, bytes.length, question, nowNanos);
        return ((ParsedAnswer.Taken) read).answer();
    }
}
