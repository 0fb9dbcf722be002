package io.ballast.dns.forward.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests servers without EDNS, servers that change letter case, and servers with cookies. */
class ServerTraitsTest {

    private static final String NAME = "www.abcdefghijklmnopqrstuvwxyz.example.com";
    private static final byte[] SERVER_COOKIE = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final Duration SILENT = Duration.ofMillis(ServerTraits.EDNS_TRIAL_DELAY_MILLIS);
    private static final Duration REMEMBERED = Duration.ofMinutes(ServerTraits.RETENTION_MINUTES);

    private FakeServer server;
    private UpstreamFixture fixture;
    private Backend backend;

    @BeforeEach
    void open() throws IOException {
        server = new FakeServer();
        fixture = new UpstreamFixture(UpstreamSettings.DEFAULT);
        backend = fixture.backend(server.address());
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"FORMERR, false", "FORMERR, true", "NOTIMP, false", "NOTIMP, true", "BADVERS, false"})
    void learnsServerWithoutEdns(String rcode, boolean isHeaderAlone) throws IOException {
        RecordedAttempt first = fixture.query(backend, NAME);
        refuse(server.receive(), Rcode.value(rcode), isHeaderAlone);
        FakeServer.Query again = server.receive();
        server.answer(again);

        assertThat(first.answer()).isEqualTo(FakeServer.response(again.bytes()));
        assertThat(hasEdns(again)).isFalse();
        assertThat(fixture.sum(UpstreamCounter.REWRITTEN)).isOne();
        assertThat(hasEdns(nextQuery())).isFalse();

        fixture.pass(REMEMBERED);
        assertThat(hasEdns(nextQuery())).as("tried again after a while").isTrue();
    }

    @Test
    void persistentErrorTeachesNothing() throws IOException {
        RecordedAttempt first = fixture.query(backend, NAME);
        refuse(server.receive(), Rcode.NOTIMP, /* isHeaderAlone= */ false);
        refuse(server.receive(), Rcode.NOTIMP, /* isHeaderAlone= */ false);

        assertThat(Messages.parse(first.answer()).getRcode()).isEqualTo(Rcode.NOTIMP);
        assertThat(hasEdns(nextQuery())).isTrue();
    }

    @Test
    void validatedQueriesAlwaysHaveEdns() throws IOException {
        RecordedAttempt first = validated();
        refuse(server.receive(), Rcode.FORMERR, /* isHeaderAlone= */ false);
        assertThat(Messages.parse(first.answer()).getRcode()).isEqualTo(Rcode.FORMERR);

        RecordedAttempt other = fixture.query(backend, NAME);
        refuse(server.receive(), Rcode.FORMERR, /* isHeaderAlone= */ false);
        server.answer(server.receive());
        other.answer();
        RecordedAttempt next = validated();
        FakeServer.Query query = server.receive();
        server.answer(query);
        next.answer();
        assertThat(hasEdns(query)).isTrue();
    }

    private RecordedAttempt validated() {
        RecordedAttempt attempt = new RecordedAttempt();
        fixture.query(
                backend, UpstreamFixture.question(NAME, Type.A, Question.VALIDATED), UpstreamProtocol.UDP, attempt);
        return attempt;
    }

    @Test
    void learnsServerThatDropsEdns() throws IOException {
        for (int i = 0; i < ServerTraits.EDNS_TRIAL_THRESHOLD; i++) {
            fixture.query(backend, NAME);
            assertThat(hasEdns(server.receive())).isTrue();
            fixture.pass(SILENT);
            assertThat(hasEdns(nextQuery())).as("a trial").isFalse();
        }

        assertThat(hasEdns(nextQuery())).isFalse();
    }

    @Test
    void slowServerKeepsEdns() throws IOException {
        for (int i = 0; i < 2 * ServerTraits.EDNS_TRIAL_THRESHOLD; i++) {
            RecordedAttempt slow = fixture.query(backend, NAME);
            FakeServer.Query query = server.receive();
            assertThat(hasEdns(query)).isTrue();
            fixture.pass(SILENT);
            nextQuery();
            server.answer(query);
            slow.answer();
        }
    }

    @Test
    void trialKeepsSignatureRequest() throws IOException {
        fixture.query(backend, NAME);
        server.receive();
        fixture.pass(SILENT);

        fixture.query(
                backend,
                UpstreamFixture.question(NAME, Type.A, Question.DNSSEC_OK),
                UpstreamProtocol.UDP,
                new RecordedAttempt());

        assertThat(hasEdns(server.receive())).isTrue();
    }

    @Test
    void caseMismatchRetriesInLowerCaseFromOtherPort() throws IOException {
        RecordedAttempt attempt = fixture.query(backend, NAME);
        FakeServer.Query query = receiveMixed();
        server.send(lowered(query), query.from());
        FakeServer.Query again = server.receive();
        server.answer(again);

        assertThat(attempt.answer()).isEqualTo(FakeServer.response(again.bytes()));
        assertThat(name(again)).isEqualTo(NAME + ".");
        assertThat(again.id()).isNotEqualTo(query.id());
        assertThat(fixture.sum(UpstreamCounter.MISMATCHED)).isOne();
    }

    @Test
    void learnsServerThatChangesCase() throws IOException {
        for (int i = 0; i < ServerTraits.CHANGED_CASE_THRESHOLD; i++) {
            RecordedAttempt attempt = fixture.query(backend, NAME);
            FakeServer.Query query = receiveMixed();
            server.send(lowered(query), query.from());
            server.answer(server.receive());
            attempt.answer();
        }

        for (int i = 0; i < 10; i++) {
            assertThat(name(nextQuery())).isEqualTo(NAME + ".");
        }
        assertThat(fixture.sum(UpstreamCounter.REWRITTEN)).isEqualTo(ServerTraits.CHANGED_CASE_THRESHOLD);
    }

    @Test
    void correctCaseRevealsForgery() throws IOException {
        for (int i = 0; i < 2 * ServerTraits.CHANGED_CASE_THRESHOLD; i++) {
            RecordedAttempt forged = fixture.query(backend, NAME);
            FakeServer.Query query = receiveMixed();
            server.send(lowered(query), query.from());
            server.answer(server.receive());
            forged.answer();
            RecordedAttempt right = fixture.query(backend, NAME);
            server.answer(receiveMixed());
            right.answer();
        }
    }

    /** Tests that an answer in another letter case is rejected, because accepting it would make forgery easier. */
    @Test
    void rejectsOtherCaseThanLower() throws IOException {
        RecordedAttempt attempt = fixture.query(backend, NAME);
        FakeServer.Query query = receiveMixed();
        server.send(lowered(query), query.from());
        FakeServer.Query again = server.receive();
        byte[] upper = FakeServer.response(again.bytes());
        upper[13] = (byte) (upper[13] - 0x20);
        server.send(upper, again.from());
        server.answer(again);

        assertThat(attempt.answer()).isEqualTo(FakeServer.response(again.bytes()));
        assertThat(fixture.sum(UpstreamCounter.MISMATCHED)).isEqualTo(2);
    }

    @Test
    void ignoresCaseOnConnections() throws IOException {
        RecordedAttempt attempt = fixture.query(backend, NAME, UpstreamProtocol.TCP);
        try (FakeServer.Connection connection = server.accept()) {
            byte[] query = connection.receive();
            connection.send(lowered(query));

            assertThat(attempt.answer()).isEqualTo(lowered(query));
        }
    }

    @Test
    void sendsRequiredCookie() throws IOException {
        RecordedAttempt attempt = fixture.query(backend, NAME);
        refuseCookie(server.receive());
        FakeServer.Query introduced = server.receive();
        assertThat(cookie(introduced)).hasSize(8);
        refuseCookie(introduced);
        FakeServer.Query known = server.receive();
        server.answer(known);

        attempt.answer();
        byte[] expected = Arrays.copyOf(cookie(introduced), 16);
        System.arraycopy(SERVER_COOKIE, 0, expected, 8, 8);
        assertThat(cookie(known)).isEqualTo(expected);
        assertThat(cookie(nextQuery())).as("from then on").isEqualTo(expected);
    }

    @Test
    void serverRejectingCookiesIsQueriedOverTcp() throws IOException {
        RecordedAttempt attempt = fixture.query(backend, NAME);
        for (int i = 0; i < 4; i++) {
            refuseCookie(server.receive());
        }
        try (FakeServer.Connection connection = server.accept()) {
            connection.answer();

            attempt.answer();
        }
    }

    /** Sends a query through the fixture, answers it on the server, and returns it. */
    private FakeServer.Query nextQuery() throws IOException {
        RecordedAttempt attempt = fixture.query(backend, NAME);
        FakeServer.Query query = server.receive();
        server.answer(query);
        attempt.answer();
        return query;
    }

    /**
     * Receives a query whose name has upper-case letters. The name has 39 letters, so a random name without upper-case
     * letters occurs only once in 2^39 queries.
     */
    private FakeServer.Query receiveMixed() throws IOException {
        FakeServer.Query query = server.receive();
        assertThat(name(query)).isNotEqualTo(NAME + ".");
        return query;
    }

    private void refuse(FakeServer.Query query, int rcode, boolean isHeaderAlone) throws IOException {
        Message response = new Message(query.id());
        response.getHeader().setFlag(Flags.QR);
        response.getHeader().setRcode(rcode & 0xf);
        if (!isHeaderAlone) {
            response.addRecord(Messages.parse(query.bytes()).getQuestion(), Section.QUESTION);
        }
        if (rcode > 0xf) {
            response.addRecord(new OPTRecord(1232, rcode >> 4, 0), Section.ADDITIONAL);
        }
        server.send(response.toWire(), query.from());
    }

    private void refuseCookie(FakeServer.Query query) throws IOException {
        byte[] client = cookie(query);
        List<EDNSOption> options =
                client.length == 0 ? List.of() : List.of(new CookieOption(Arrays.copyOf(client, 8), SERVER_COOKIE));
        Message response = new Message(query.id());
        response.getHeader().setFlag(Flags.QR);
        response.getHeader().setRcode(Rcode.BADCOOKIE & 0xf);
        response.addRecord(Messages.parse(query.bytes()).getQuestion(), Section.QUESTION);
        response.addRecord(new OPTRecord(1232, Rcode.BADCOOKIE >> 4, 0, 0, options), Section.ADDITIONAL);
        server.send(response.toWire(), query.from());
    }

    private static byte[] cookie(FakeServer.Query query) {
        List<EDNSOption> options = Messages.parse(query.bytes()).getOPT().getOptions(EDNSOption.Code.COOKIE);
        if (options.isEmpty()) {
            return new byte[0];
        }
        CookieOption cookie = (CookieOption) options.get(0);
        byte[] client = cookie.getClientCookie();
        byte[] known = cookie.getServerCookie().orElse(new byte[0]);
        byte[] all = Arrays.copyOf(client, client.length + known.length);
        System.arraycopy(known, 0, all, client.length, known.length);
        return all;
    }

    private static byte[] lowered(FakeServer.Query query) {
        return lowered(query.bytes());
    }

    private static byte[] lowered(byte[] query) {
        byte[] response = FakeServer.response(query);
        for (int at = 13; at < 13 + NAME.length(); at++) {
            if (response[at] >= 'A' && response[at] <= 'Z') {
                response[at] |= 0x20;
            }
        }
        return response;
    }

    private static boolean hasEdns(FakeServer.Query query) {
        return Messages.parse(query.bytes()).getOPT() != null;
    }

    private static String name(FakeServer.Query query) {
        String name = Messages.parse(query.bytes()).getQuestion().getName().toString();
        assertThat(name.toLowerCase(Locale.ROOT)).isEqualTo(NAME + ".");
        return name;
    }
}
