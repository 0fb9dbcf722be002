package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.config.forward.DnsForwardConfig.Upstream;
import io.ballast.dns.config.forward.ForwardableOptions;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/** Tests which EDNS options of a client reach a resolver, and which clients get the answers. */
class ForwardedOptionsTest {

    private static final String NAME = "www.example.org";
    private static final int DEVICE = 65_001;
    private static final int CUSTOMER = 20_292;
    private static final int OTHER = 65_002;
    private static final int MAX_TEXT = 200;
    /** Bytes of the code and the length of an option. */
    private static final int HEADER_BYTES = 4;

    private FakeResolver resolver;

    @BeforeEach
    void start() throws IOException {
        resolver = new FakeResolver("192.0.2.1");
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NOERROR);
            reply.addRecord(
                    new TXTRecord(query.getQuestion().getName(), 1, FakeResolver.TTL, optionsOf(query)),
                    Section.ANSWER);
            return reply;
        });
    }

    @AfterEach
    void stop() throws IOException {
        resolver.close();
    }

    private static UnaryOperator<DnsForwardConfig> forwarding(Integer... codes) {
        return config -> config.toBuilder()
                .upstream(new Upstream(
                        ForwarderFixture.POOL, Protocol.UDP, Upstream.DEFAULT_PATH, Optional.empty(), List.of(codes)))
                .timeout(Duration.ofSeconds(30))
                .retryAfter(Duration.ofSeconds(30))
                .build();
    }

    private static EDNSOption option(int code, String data) {
        return new GenericEDNSOption(code, data.getBytes(StandardCharsets.US_ASCII));
    }

    private static Message query(EDNSOption... options) {
        return Messages.query(NAME, Type.TXT, new OPTRecord(1232, 0, 0, 0, List.of(options)));
    }

    /**
     * Returns the options of a query that a resolver received, as {@code code=data} in their order. If this text is too
     * long, returns only the number of options.
     */
    private static String optionsOf(Message query) {
        List<String> texts = new ArrayList<>();
        for (EDNSOption each : query.getOPT().getOptions()) {
            byte[] wire = each.toWire();
            texts.add(each.getCode() + "="
                    + new String(wire, HEADER_BYTES, wire.length - HEADER_BYTES, StandardCharsets.US_ASCII));
        }
        String all = String.join(" ", texts);
        return all.length() <= MAX_TEXT ? all : texts.size() + " options";
    }

    private static String forwarded(Message answer) {
        assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
        return Messages.answers(answer).get(0).replace("\"", "");
    }

    @Test
    void forwardsNothingByDefault() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(config -> config, resolver)) {
            assertThat(forwarded(fixture.query(query(option(DEVICE, "a"))))).isEmpty();
            assertThat(forwarded(fixture.query(query(option(DEVICE, "b"))))).isEmpty();
            assertThat(resolver.queries()).hasSize(1);
            assertThat(fixture.frontend().stats().sum(DnsCounter.OPTIONS_FORWARDED))
                    .isZero();
        }
    }

    @Test
    void forwardsConfiguredOptionsUnchangedAndInOrder() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(forwarding(CUSTOMER, DEVICE), resolver)) {
            Message answer = fixture.query(query(
                    new CookieOption(new byte[8]),
                    option(DEVICE, "mac"),
                    option(OTHER, "secret"),
                    option(12, "\0\0"),
                    option(CUSTOMER, ""),
                    option(DEVICE, "second")));

            assertThat(forwarded(answer)).isEqualTo("65001=mac 20292= 65001=second");
            assertThat(fixture.frontend().stats().sum(DnsCounter.OPTIONS_FORWARDED))
                    .isOne();
        }
    }

    @Test
    void answersWithOptionsAreForOneQuery() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(forwarding(DEVICE), resolver)) {
            assertThat(forwarded(fixture.query(query(option(DEVICE, "a"))))).isEqualTo("65001=a");
            assertThat(forwarded(fixture.query(query(option(DEVICE, "b"))))).isEqualTo("65001=b");
            assertThat(forwarded(fixture.query(query())))
                    .as("not from the cache")
                    .isEmpty();
            assertThat(forwarded(fixture.query(query()))).isEmpty();
            assertThat(forwarded(fixture.query(query(option(DEVICE, "a")))))
                    .as("not from the cache")
                    .isEqualTo("65001=a");
            assertThat(resolver.queries()).hasSize(4);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_HITS)).isOne();
        }
    }

    @Test
    void concurrentQueriesShareAQuestionOnlyWithEqualOptions() throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(forwarding(DEVICE), resolver)) {
            List<byte[]> queries = Stream.of("a", "b", "a", "c")
                    .map(data -> query(option(DEVICE, data)).toWire())
                    .toList();

            List<String> answers = fixture.queryTogether(queries, () -> {}).stream()
                    .map(ForwardedOptionsTest::forwarded)
                    .toList();

            assertThat(answers).containsExactlyInAnyOrder("65001=a", "65001=b", "65001=a", "65001=c");
            assertThat(resolver.queries()).hasSizeBetween(3, 4);
        }
    }

    @Test
    void forwardsAllOrNothingUpToALimit() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(forwarding(DEVICE), resolver)) {
            String longest = "x".repeat(200);
            Message two = fixture.query(query(option(DEVICE, longest), option(DEVICE, longest)));
            assertThat(forwarded(two)).isEqualTo("2 options");

            Message three =
                    fixture.query(query(option(DEVICE, longest), option(DEVICE, longest), option(DEVICE, longest)));
            assertThat(forwarded(three)).isEmpty();
        }
    }

    @Test
    void refusedOptionsAreOmittedAndDoNotAffectOtherQueries() throws IOException {
        resolver.answers(query -> {
            boolean hasOptions =
                    query.getOPT() != null && !query.getOPT().getOptions().isEmpty();
            Message reply = FakeResolver.reply(query, hasOptions ? Rcode.FORMERR : Rcode.NOERROR);
            if (!hasOptions) {
                String text = query.getOPT() == null ? "without EDNS" : "with EDNS";
                reply.addRecord(
                        new TXTRecord(query.getQuestion().getName(), 1, FakeResolver.TTL, text), Section.ANSWER);
            }
            return reply;
        });
        try (ForwarderFixture fixture = new ForwarderFixture(forwarding(DEVICE), resolver)) {
            assertThat(forwarded(fixture.query(query(option(DEVICE, "a"))))).isEqualTo("with EDNS");
            assertThat(forwarded(fixture.query(query(option(DEVICE, "b"))))).isEqualTo("with EDNS");
            assertThat(forwarded(fixture.query(query()))).isEqualTo("with EDNS");
            assertThat(resolver.queries()).hasSize(5);
        }
    }

    @Test
    void clientsGetNoOptionsOfResolvers() throws IOException {
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NOERROR);
            reply.addRecord(new OPTRecord(1232, 0, 0, 0, List.of(option(DEVICE, "from resolver"))), Section.ADDITIONAL);
            return reply;
        });
        try (ForwarderFixture fixture = new ForwarderFixture(forwarding(DEVICE), resolver)) {
            Message answer = fixture.query(query(option(DEVICE, "a")));

            assertThat(answer.getOPT().getOptions()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 8, 10, 11, 12, 15, 65_535})
    void hopByHopAndReservedOptionsAreNotForwardable(int code) {
        assertThatThrownBy(() -> ForwardableOptions.check(code))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("option: " + code);
    }
}
