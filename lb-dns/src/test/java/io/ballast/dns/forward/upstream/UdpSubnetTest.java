package io.ballast.dns.forward.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.question.QuerySubnet;
import io.ballast.dns.forward.question.Question;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how UDP upstreams handle the client subnet in answers (RFC 7871 section 7.3). */
class UdpSubnetTest {

    private static final String NAME = "www.example.com";

    /** Length of the option: code and length, family, source, scope, and three address bytes. */
    private static final int OPTION_BYTES = 4 + 4 + 3;

    private FakeServer server;

    @BeforeEach
    void open() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /** A field of the client subnet in which an answer may differ from the query. */
    private enum SubnetFault {
        FAMILY(5),
        SOURCE(6),
        ADDRESS(8),
        LAST_BYTE(10);

        /** Offset of the field in the option. */
        private final int at;

        SubnetFault(int at) {
            this.at = at;
        }
    }

    @ParameterizedTest
    @EnumSource(SubnetFault.class)
    void ignoresAnswerForOtherNetwork(SubnetFault fault) throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Scoped exchange = new Scoped();
            fixture.query(fixture.backend(server.address()), questionWithSubnet(), UpstreamProtocol.UDP, exchange);
            FakeServer.Query query = server.receive();
            byte[] forged = FakeServer.response(query.bytes());
            forged[forged.length - OPTION_BYTES + fault.at] ^= 1;

            server.send(forged, query.from());
            server.answer(query);

            assertThat(exchange.answer()).isEqualTo(FakeServer.response(query.bytes()));
            assertThat(fixture.sum(UpstreamCounter.MISMATCHED)).isOne();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 24, 32, 33, 255})
    void reportsScopeOfAnswer(int scope) throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Scoped exchange = new Scoped();
            fixture.query(fixture.backend(server.address()), questionWithSubnet(), UpstreamProtocol.UDP, exchange);
            FakeServer.Query query = server.receive();
            byte[] response = FakeServer.response(query.bytes());
            response[response.length - OPTION_BYTES + 7] = (byte) scope;

            server.send(response, query.from());
            boolean isPossible = scope <= 32;
            if (!isPossible) {
                server.answer(query);
            }

            exchange.answer();
            assertThat(exchange.scope).isEqualTo(isPossible ? scope : 0);
            assertThat(fixture.sum(UpstreamCounter.MISMATCHED)).isEqualTo(isPossible ? 0 : 1);
        }
    }

    private static Question questionWithSubnet() {
        QuerySubnet exchange = new QuerySubnet();
        IpAddress address = IpAddress.parse("198.51.100.0");
        exchange.setNetwork(address.high(), address.low(), 24, /* isLongest= */ true, /* isFromClientOption= */ false);
        return UpstreamFixture.question(NAME).withSubnet(exchange.toSubnet());
    }

    private static final class Scoped extends RecordedAttempt {

        private volatile int scope = -1;

        @Override
        public void onAnswer(Attempt attempt, byte[] message, int length) {
            scope = attempt.scope();
            super.onAnswer(attempt, message, length);
        }
    }
}
