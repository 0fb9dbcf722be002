package io.ballast.dns.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import io.ballast.dns.zone.CompiledZones;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/** Tests which queries are passed to a resolver, and their answers. */
class NonLocalResolverTest {

    private static final Deferral DEFERRAL = () -> (response, length) -> {};

    private final DnsStats stats = new DnsStats(1);
    private final CompiledZones zones;
    private final ActiveAnswerConfig active;
    private final Client client = new Client();
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
    private final List<Integer> limits = new ArrayList<>();
    private int made;

    NonLocalResolverTest() {
        ZoneFixture fixture = new ZoneFixture()
                .pool("web", ZoneFixture.backend("192.0.2.1"))
                .zone("example.com", ZoneFixture.service("app", "web"));
        zones = CompiledZones.start(fixture.dns(), fixture.topology());
        active = new ActiveAnswerConfig(config(null));
        client.set(InetAddress.getLoopbackAddress(), 5353);
    }

    @Test
    void namesOutsideZonesAreForwarded() {
        Answerer answerer = answerer(counters -> new NameErrors());

        assertThat(query(answerer, Messages.query("example.org", Type.A)).getRcode())
                .isEqualTo(Rcode.NXDOMAIN);
        assertThat(query(answerer, Messages.query("app.example.com", Type.A)).getRcode())
                .isEqualTo(Rcode.NOERROR);
        assertThat(query(answerer, Messages.query("nope.example.com", Type.A)).getRcode())
                .isEqualTo(Rcode.NXDOMAIN);

        assertThat(limits).hasSize(1);
        assertThat(stats.sum(DnsCounter.NXDOMAIN)).isEqualTo(2);
        assertThat(stats.sum(DnsCounter.TRUNCATED)).isEqualTo(1);
    }

    @Test
    void otherClassesAndTransfersAreNotForwarded() {
        Answerer answerer = answerer(counters -> new NameErrors());

        query(answerer, Message.newQuery(Record.newRecord(Name.root, Type.A, DClass.HESIOD)));
        query(answerer, Message.newQuery(Record.newRecord(Name.root, Type.TXT, DClass.CHAOS)));
        query(answerer, Messages.query("example.org", Type.AXFR));

        assertThat(limits).isEmpty();
        assertThat(stats.sum(DnsCounter.REFUSED)).isEqualTo(3);
    }

    @Test
    void sizeLimitFollowsTransportAndClient() {
        Answerer answerer = answerer(counters -> new NameErrors());
        byte[] plain = Messages.query("example.org", Type.A).toWire();
        byte[] large =
                Messages.query("example.org", Type.A, new OPTRecord(4096, 0, 0)).toWire();

        answerer.answer(plain, plain.length, client, out, Transport.UDP, DEFERRAL);
        answerer.answer(large, large.length, client, out, Transport.UDP, DEFERRAL);
        answerer.answer(plain, plain.length, client, out, Transport.DOH, DEFERRAL);

        assertThat(limits).containsExactly(512, Edns.MAX_PAYLOAD_BYTES, Wire.MAX_MESSAGE_BYTES);
    }

    @Test
    void deferredQueriesAreNotCountedAsAnswered() {
        Answerer answerer = answerer(counters -> new FixedResult(AnswerResult.DEFERRED));
        byte[] query = Messages.query("example.org", Type.A).toWire();

        assertThat(answerer.answer(query, query.length, client, out, Transport.UDP, DEFERRAL))
                .isEqualTo(AnswerResult.DEFERRED);
        assertThat(answerer.responseLength()).isZero();
        assertThat(stats.sum(DnsCounter.NOERROR) + stats.sum(DnsCounter.DROPPED))
                .isZero();
        assertThatThrownBy(() -> answerer.answer(query, query.length, client, out, Transport.UDP))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void unansweredQueriesAreCountedAsDropped() {
        Answerer answerer = answerer(counters -> new FixedResult(AnswerResult.NO_RESPONSE));
        byte[] query = Messages.query("example.org", Type.A).toWire();

        assertThat(answerer.answer(query, query.length, client, out, Transport.UDP, DEFERRAL))
                .isEqualTo(AnswerResult.NO_RESPONSE);
        assertThat(answerer.responseLength()).isZero();
        assertThat(stats.sum(DnsCounter.DROPPED)).isEqualTo(1);
    }

    @Test
    void changedSourceIsReplacedAndUnchangedKept() {
        NonLocalResolverFactory source = counters -> {
            made++;
            return new NameErrors();
        };
        Answerer answerer = answerer(source);
        active.activate(config(source));
        assertThat(query(answerer, Messages.query("example.org", Type.A)).getRcode())
                .isEqualTo(Rcode.NXDOMAIN);
        assertThat(made).isEqualTo(1);

        active.activate(config(null));
        assertThat(query(answerer, Messages.query("example.org", Type.A)).getRcode())
                .isEqualTo(Rcode.REFUSED);

        active.activate(config(source));
        assertThat(query(answerer, Messages.query("example.org", Type.A)).getRcode())
                .isEqualTo(Rcode.NXDOMAIN);
        assertThat(made).isEqualTo(2);
    }

    private AnswerConfig config(NonLocalResolverFactory source) {
        return new AnswerConfig(zones.published(), AnswerSettings.OPEN, source);
    }

    private Answerer answerer(NonLocalResolverFactory source) {
        active.activate(config(source));
        return new Answerer(active, stats.shard(0), new SplittableRandom(1));
    }

    private Message query(Answerer answerer, Message query) {
        byte[] wire = query.toWire();
        assertThat(answerer.answer(wire, wire.length, client, out, Transport.UDP, DEFERRAL))
                .isEqualTo(AnswerResult.RESPONSE);
        return Messages.parse(Arrays.copyOf(out, answerer.responseLength()));
    }

    /** Answers every query with a truncated NXDOMAIN, and records the limits. */
    private final class NameErrors implements NonLocalResolver {

        private int responseLength;

        @Override
        public AnswerResult answer(
                Query query, Client pending, byte[] to, int limit, Transport transport, Deferral deferral) {
            limits.add(limit);
            responseLength = Response.begin(query, to);
            Response.writeHeader(query, to, Response.TRUNCATED, Rcode.NXDOMAIN);
            return AnswerResult.RESPONSE;
        }

        @Override
        public int responseLength() {
            return responseLength;
        }
    }

    /** Sends no response, or a deferred response. */
    private record FixedResult(AnswerResult result) implements NonLocalResolver {

        @Override
        public AnswerResult answer(
                Query query, Client pending, byte[] to, int limit, Transport transport, Deferral deferral) {
            if (result == AnswerResult.DEFERRED) {
                deferral.defer();
            }
            return result;
        }

        @Override
        public int responseLength() {
            return 0;
        }
    }
}
