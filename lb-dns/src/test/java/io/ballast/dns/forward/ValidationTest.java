package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ControlPlane;
import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsValidationConfig;
import io.ballast.dns.config.forward.DnsValidationConfig.Mode;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.SignedTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that clients get validated answers, and DNSSEC information if they request it. */
class ValidationTest {

    @TempDir
    private Path directory;

    private final SignedTree tree = new SignedTree(Instant.now());
    private FakeResolver resolver;

    @BeforeEach
    void start() throws IOException {
        resolver = new FakeResolver("192.0.2.1");
        resolver.answers(tree::answer);
    }

    @AfterEach
    void stop() throws IOException {
        resolver.close();
    }

    @Test
    void signaturesAreSentOnRequest() throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(this::validating, resolver)) {
            for (int round = 0; round < 2; round++) {
                Message plain = fixture.query("www.good.lab", Type.A);
                Message curious = fixture.query(authentic(Messages.query("www.good.lab", Type.A)));
                Message signed = fixture.query(signed("www.good.lab", Type.A));

                assertThat(types(plain)).containsExactly(Type.A);
                assertThat(Messages.has(plain, Flags.AD)).isFalse();
                assertThat(types(curious)).containsExactly(Type.A);
                assertThat(Messages.has(curious, Flags.AD)).isTrue();
                assertThat(types(signed)).contains(Type.A, Type.RRSIG);
                assertThat(Messages.has(signed, Flags.AD)).isTrue();
            }
            assertThat(resolver.queries("www.good.lab"))
                    .as("with signatures and without")
                    .isEqualTo(2);
        }
    }

    @Test
    void denialsAreSentOnRequest() throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(this::validating, resolver)) {
            Message plain = fixture.query("missing.good.lab", Type.A);
            Message signed = fixture.query(signed("missing.good.lab", Type.A));

            assertThat(plain.getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(plain.getSection(Section.AUTHORITY))
                    .extracting(Record::getType)
                    .containsExactly(Type.SOA);
            assertThat(signed.getSection(Section.AUTHORITY))
                    .extracting(Record::getType)
                    .contains(Type.NSEC);
        }
    }

    @Test
    void alwaysRequestsSignatures() throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(this::validating, resolver)) {
            fixture.query("www.good.lab", Type.A);

            assertThat(resolver.queries()).allSatisfy(query -> {
                assertThat(Messages.has(query, Flags.CD)).isTrue();
                assertThat(query.getOPT().getFlags() & ExtendedFlags.DO).isNotZero();
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "www.broken.lab, 6",
        "www.expired.lab, 7",
        "www.early.lab, 8",
        "www.keyless.lab, 9",
        "www.misdelegated.lab, 9",
        "www.stripped.lab, 10",
        "missing.silent.lab, 12",
    })
    void bogusAnswerHasExtendedError(String name, int code) throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(this::validating, resolver)) {
            for (int round = 0; round < 2; round++) {
                Message answer = fixture.query(signed(name, Type.A));

                assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
                assertThat(answer.getSection(Section.ANSWER)).isEmpty();
                assertThat(codes(answer)).containsExactly(code);
            }
            assertThat(resolver.queries(name)).as("kept for a while").isLessThanOrEqualTo(2);
        }
    }

    @Test
    void checkingDisabledClientGetsBogusAnswer() throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(this::validating, resolver)) {
            assertThat(fixture.query("www.broken.lab", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            Message query = signed("www.broken.lab", Type.A);
            query.getHeader().setFlag(Flags.CD);
            Message answer = fixture.query(query);

            assertThat(types(answer)).contains(Type.A, Type.RRSIG);
            assertThat(Messages.has(answer, Flags.AD)).isFalse();
            assertThat(fixture.query("www.broken.lab", Type.A).getRcode())
                    .as("the unvalidated answer is not used")
                    .isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void bogusAnswerRetriesOtherResolver() throws Exception {
        SignedTree other = new SignedTree(Instant.now());
        try (FakeResolver liar = new FakeResolver("192.0.2.9");
                ForwarderFixture fixture = new ForwarderFixture(this::validating, liar, resolver)) {
            liar.answers(query -> query.getQuestion().getType() == Type.A ? other.answer(query) : tree.answer(query));
            for (String name : List.of("www.good.lab", "here.good.lab", "a.b.deep.good.lab", "to-hashed.good.lab")) {
                Message answer = fixture.query(signed(name, Type.A));

                assertThat(answer.getRcode()).as(name).isEqualTo(Rcode.NOERROR);
                assertThat(Messages.has(answer, Flags.AD)).isTrue();
            }
        }
    }

    @Test
    void rewriteTargetIsValidated() throws Exception {
        try (ControlPlane control = ControlPlane.start(Clock.systemUTC());
                ForwarderFixture fixture = new ForwarderFixture(this::rewriting, control, directory, resolver)) {
            Message good = fixture.query(signed("good.example", Type.A));
            Message broken = fixture.query(signed("broken.example", Type.A));

            assertThat(good.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(Messages.has(good, Flags.AD))
                    .as("the alias is not signed")
                    .isFalse();
            assertThat(broken.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(codes(broken)).isEqualTo(codes(fixture.query(signed("www.broken.lab", Type.A))));
        }
    }

    private DnsForwardConfig rewriting(DnsForwardConfig config) {
        DnsFilterConfig filter = new DnsFilterConfig(
                List.of(),
                DnsFilterConfig.Answer.NXDOMAIN,
                List.of(),
                DnsFilterConfig.DEFAULT_TTL,
                DnsFilterConfig.DEFAULT_MAX_RULES,
                List.of(),
                List.of(alias("good.example", "www.good.lab"), alias("broken.example", "www.broken.lab")));
        return validating(config.toBuilder().filter(Optional.of(filter)).build());
    }

    private static Rewrite alias(String name, String target) {
        return new Rewrite(name, List.of(), Optional.empty(), Optional.of(target));
    }

    @Test
    void staleAnswerIsNotServedForBogusZone() throws Exception {
        UnaryOperator<DnsForwardConfig> brief = config -> with(validating(config), brief());
        try (ForwarderFixture fixture = new ForwarderFixture(brief, resolver)) {
            assertThat(fixture.query("www.good.lab", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            resolver.answers(new SignedTree(Instant.now())::answer);
            ForwarderFixture.await(() -> rcode(fixture, "www.good.lab") == Rcode.SERVFAIL);

            assertThat(fixture.query("www.good.lab", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_STALE)).isZero();
        }
    }

    @Test
    void missingKeysAreNoProof() throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(this::validating, resolver)) {
            resolver.answers(query -> {
                int type = query.getQuestion().getType();
                boolean isOfKeys = type == Type.DS || type == Type.DNSKEY;
                return isOfKeys ? FakeResolver.reply(query, Rcode.SERVFAIL) : tree.answer(query);
            });
            assertThat(fixture.query("missing.plain.lab", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(fixture.query("www.good.lab", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(fixture.frontend().stats().sum(DnsCounter.VALIDATION_FAILED))
                    .isEqualTo(2);
        }
    }

    @Test
    void exemptZonesNeedNoSignatures() throws Exception {
        UnaryOperator<DnsForwardConfig> exempt = config -> config.toBuilder()
                .dnssec(new DnsValidationConfig(Mode.VALIDATE, Optional.of(anchors()), List.of("broken.lab")))
                .build();
        try (ForwarderFixture fixture = new ForwarderFixture(exempt, resolver)) {
            for (String name : List.of("www.broken.lab", "to-broken.good.lab")) {
                Message answer = fixture.query(signed(name, Type.A));

                assertThat(answer.getRcode()).as(name).isEqualTo(Rcode.NOERROR);
                assertThat(Messages.has(answer, Flags.AD)).isFalse();
            }
            assertThat(fixture.query("to-broken.expired.lab", Type.A).getRcode())
                    .as("the alias itself is not exempt")
                    .isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void changedTrustAnchorsRevalidate() throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), resolver)) {
            assertThat(fixture.query("www.broken.lab", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);

            fixture.reload(this::validating);

            assertThat(fixture.query("www.broken.lab", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(fixture.query("www.good.lab", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);

            fixture.reload(config -> config.toBuilder()
                    .dnssec(DnsValidationConfig.of(Mode.VALIDATE))
                    .build());

            assertThat(fixture.query("www.good.lab", Type.A).getRcode())
                    .as("not the root that it is signed by")
                    .isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void resultsAreCounted() throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(this::validating, resolver)) {
            fixture.query("www.good.lab", Type.A);
            fixture.query("www.plain.lab", Type.A);
            fixture.query("www.broken.lab", Type.A);

            assertThat(fixture.frontend().stats().sum(DnsCounter.VALIDATED_SECURE))
                    .isEqualTo(1);
            assertThat(fixture.frontend().stats().sum(DnsCounter.VALIDATED_INSECURE))
                    .isEqualTo(1);
            assertThat(fixture.frontend().stats().sum(DnsCounter.VALIDATED_BOGUS))
                    .isPositive();
            assertThat(fixture.frontend().stats().sum(DnsCounter.VALIDATION_NANOS))
                    .isPositive();
            assertThat(fixture.frontend().forwarding().permits().inUse()).isZero();
        }
    }

    private static int rcode(ForwarderFixture fixture, String name) {
        try {
            return fixture.query(name, Type.A).getRcode();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DnsCacheConfig brief() {
        return new DnsCacheConfig(
                1 << 20,
                Duration.ZERO,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofDays(1),
                Duration.ofSeconds(2),
                /* prefetch= */ false,
                /* snapshot= */ false);
    }

    private static DnsForwardConfig with(DnsForwardConfig config, DnsCacheConfig cache) {
        return config.toBuilder()
                .timeout(Duration.ofSeconds(10))
                .retryAfter(Duration.ofSeconds(10))
                .cache(Optional.of(cache))
                .build();
    }

    private DnsForwardConfig validating(DnsForwardConfig config) {
        return config.toBuilder()
                .dnssec(new DnsValidationConfig(Mode.VALIDATE, Optional.of(anchors()), List.of()))
                .build();
    }

    private Path anchors() {
        try {
            return Files.writeString(directory.resolve("root"), tree.anchor() + "\n");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Message signed(String name, int type) {
        return Messages.query(name, type, new OPTRecord(4096, 0, 0, ExtendedFlags.DO));
    }

    private static Message authentic(Message query) {
        query.getHeader().setFlag(Flags.AD);
        return query;
    }

    private static List<Integer> types(Message answer) {
        return answer.getSection(Section.ANSWER).stream().map(Record::getType).toList();
    }

    private static List<Integer> codes(Message answer) {
        return answer.getOPT().getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR).stream()
                .map(option -> ((ExtendedErrorCodeOption) option).getErrorCode())
                .toList();
    }
}
