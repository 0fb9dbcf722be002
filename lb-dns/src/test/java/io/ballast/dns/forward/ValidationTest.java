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
        try (ForwardWorld world = new ForwardWorld(this::validating, resolver)) {
            for (int round = 0; round < 2; round++) {
                Message plain = world.ask("www.good.lab", Type.A);
                Message curious = world.ask(authentic(Messages.query("www.good.lab", Type.A)));
                Message signed = world.ask(signed("www.good.lab", Type.A));

                assertThat(types(plain)).containsExactly(Type.A);
                assertThat(Messages.has(plain, Flags.AD)).isFalse();
                assertThat(types(curious)).containsExactly(Type.A);
                assertThat(Messages.has(curious, Flags.AD)).isTrue();
                assertThat(types(signed)).contains(Type.A, Type.RRSIG);
                assertThat(Messages.has(signed, Flags.AD)).isTrue();
            }
            assertThat(resolver.asked("www.good.lab"))
                    .as("with signatures and without")
                    .isEqualTo(2);
        }
    }

    @Test
    void denialsAreSentOnRequest() throws Exception {
        try (ForwardWorld world = new ForwardWorld(this::validating, resolver)) {
            Message plain = world.ask("missing.good.lab", Type.A);
            Message signed = world.ask(signed("missing.good.lab", Type.A));

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
        try (ForwardWorld world = new ForwardWorld(this::validating, resolver)) {
            world.ask("www.good.lab", Type.A);

            assertThat(resolver.asked()).allSatisfy(query -> {
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
        try (ForwardWorld world = new ForwardWorld(this::validating, resolver)) {
            for (int round = 0; round < 2; round++) {
                Message answer = world.ask(signed(name, Type.A));

                assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
                assertThat(answer.getSection(Section.ANSWER)).isEmpty();
                assertThat(codes(answer)).containsExactly(code);
            }
            assertThat(resolver.asked(name)).as("kept for a while").isLessThanOrEqualTo(2);
        }
    }

    @Test
    void checkingDisabledClientGetsBogusAnswer() throws Exception {
        try (ForwardWorld world = new ForwardWorld(this::validating, resolver)) {
            assertThat(world.ask("www.broken.lab", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            Message query = signed("www.broken.lab", Type.A);
            query.getHeader().setFlag(Flags.CD);
            Message answer = world.ask(query);

            assertThat(types(answer)).contains(Type.A, Type.RRSIG);
            assertThat(Messages.has(answer, Flags.AD)).isFalse();
            assertThat(world.ask("www.broken.lab", Type.A).getRcode())
                    .as("the unvalidated answer is not used")
                    .isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void bogusAnswerRetriesOtherResolver() throws Exception {
        SignedTree other = new SignedTree(Instant.now());
        try (FakeResolver liar = new FakeResolver("192.0.2.9");
                ForwardWorld world = new ForwardWorld(this::validating, liar, resolver)) {
            liar.answers(query -> query.getQuestion().getType() == Type.A ? other.answer(query) : tree.answer(query));
            for (String name : List.of("www.good.lab", "here.good.lab", "a.b.deep.good.lab", "to-hashed.good.lab")) {
                Message answer = world.ask(signed(name, Type.A));

                assertThat(answer.getRcode()).as(name).isEqualTo(Rcode.NOERROR);
                assertThat(Messages.has(answer, Flags.AD)).isTrue();
            }
        }
    }

    @Test
    void rewriteTargetIsValidated() throws Exception {
        try (ControlPlane control = ControlPlane.start(Clock.systemUTC());
                ForwardWorld world = new ForwardWorld(this::rewriting, control, directory, resolver)) {
            Message good = world.ask(signed("good.example", Type.A));
            Message broken = world.ask(signed("broken.example", Type.A));

            assertThat(good.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(Messages.has(good, Flags.AD))
                    .as("the alias is not signed")
                    .isFalse();
            assertThat(broken.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(codes(broken)).isEqualTo(codes(world.ask(signed("www.broken.lab", Type.A))));
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
        try (ForwardWorld world = new ForwardWorld(brief, resolver)) {
            assertThat(world.ask("www.good.lab", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            resolver.answers(new SignedTree(Instant.now())::answer);
            ForwardWorld.await(() -> rcode(world, "www.good.lab") == Rcode.SERVFAIL);

            assertThat(world.ask("www.good.lab", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(world.frontend().stats().sum(DnsCounter.FORWARD_STALE)).isZero();
        }
    }

    @Test
    void missingKeysAreNoProof() throws Exception {
        try (ForwardWorld world = new ForwardWorld(this::validating, resolver)) {
            resolver.answers(query -> {
                int type = query.getQuestion().getType();
                boolean isOfKeys = type == Type.DS || type == Type.DNSKEY;
                return isOfKeys ? FakeResolver.reply(query, Rcode.SERVFAIL) : tree.answer(query);
            });
            assertThat(world.ask("missing.plain.lab", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(world.ask("www.good.lab", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(world.frontend().stats().sum(DnsCounter.VALIDATION_FAILED))
                    .isEqualTo(2);
        }
    }

    @Test
    void exemptZonesNeedNoSignatures() throws Exception {
        UnaryOperator<DnsForwardConfig> exempt = config -> config.toBuilder()
                .dnssec(new DnsValidationConfig(Mode.VALIDATE, Optional.of(anchors()), List.of("broken.lab")))
                .build();
        try (ForwardWorld world = new ForwardWorld(exempt, resolver)) {
            for (String name : List.of("www.broken.lab", "to-broken.good.lab")) {
                Message answer = world.ask(signed(name, Type.A));

                assertThat(answer.getRcode()).as(name).isEqualTo(Rcode.NOERROR);
                assertThat(Messages.has(answer, Flags.AD)).isFalse();
            }
            assertThat(world.ask("to-broken.expired.lab", Type.A).getRcode())
                    .as("the alias itself is not exempt")
                    .isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void changedTrustAnchorsRevalidate() throws Exception {
        try (ForwardWorld world = new ForwardWorld(UnaryOperator.identity(), resolver)) {
            assertThat(world.ask("www.broken.lab", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);

            world.reload(this::validating);

            assertThat(world.ask("www.broken.lab", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(world.ask("www.good.lab", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);

            world.reload(config -> config.toBuilder()
                    .dnssec(DnsValidationConfig.of(Mode.VALIDATE))
                    .build());

            assertThat(world.ask("www.good.lab", Type.A).getRcode())
                    .as("not the root that it is signed by")
                    .isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void resultsAreCounted() throws Exception {
        try (ForwardWorld world = new ForwardWorld(this::validating, resolver)) {
            world.ask("www.good.lab", Type.A);
            world.ask("www.plain.lab", Type.A);
            world.ask("www.broken.lab", Type.A);

            assertThat(world.frontend().stats().sum(DnsCounter.VALIDATED_SECURE))
                    .isEqualTo(1);
            assertThat(world.frontend().stats().sum(DnsCounter.VALIDATED_INSECURE))
                    .isEqualTo(1);
            assertThat(world.frontend().stats().sum(DnsCounter.VALIDATED_BOGUS)).isPositive();
            assertThat(world.frontend().stats().sum(DnsCounter.VALIDATION_NANOS))
                    .isPositive();
            assertThat(world.frontend().forwarding().permits().inUse()).isZero();
        }
    }

    private static int rcode(ForwardWorld world, String name) {
        try {
            return world.ask(name, Type.A).getRcode();
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
