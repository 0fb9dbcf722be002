package io.ballast.dns.testing;

import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.Answerer;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.wire.Wire;
import io.ballast.dns.zone.CompiledZones;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.xbill.DNS.Message;

/** Queries an answerer directly, without sockets. */
public final class AnswererClient {

    private final DnsStats stats = new DnsStats(1);
    private final Answerer answerer;
    private final Client client = new Client();
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];

    public AnswererClient(ZoneFixture fixture) {
        this(CompiledZones.start(fixture.dns(), fixture.topology()));
    }

    public AnswererClient(ZoneFixture fixture, AnswerSettings settings) {
        this(CompiledZones.start(fixture.dns(), fixture.topology()), settings);
    }

    public AnswererClient(CompiledZones zones) {
        this(zones, AnswerSettings.OPEN);
    }

    public AnswererClient(CompiledZones zones, AnswerSettings settings) {
        this.answerer = new Answerer(zones.published(), settings, stats.shard(0), new SplittableRandom(1));
        from("192.0.2.99", 5353);
    }

    /** Sets the client address and port; initially 192.0.2.99 and 5353. */
    public void from(String address, int port) {
        client.set(new InetSocketAddress(address, port).getAddress(), port);
    }

    /** Sets the client address. */
    public AnswererClient from(String address) {
        client.set(new InetSocketAddress(address, 53).getAddress(), 53);
        return this;
    }

    public DnsStats stats() {
        return stats;
    }

    /** Returns the response over UDP, parsed by dnsjava. */
    public Message query(String name, int type) {
        return query(Messages.query(name, type), Transport.UDP);
    }

    public Message query(Message query, Transport transport) {
        return Messages.parse(query(query.toWire(), transport));
    }

    /** Returns the response; empty if there is none. */
    public byte[] query(byte[] query, Transport transport) {
        int length = answerer.answer(query, query.length, client, out, transport);
        return Arrays.copyOf(out, length);
    }
}
