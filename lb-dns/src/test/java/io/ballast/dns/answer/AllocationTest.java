package io.ballast.dns.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.ballast.core.config.ServiceConfig.Routing;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.World;
import io.ballast.dns.wire.Wire;
import io.ballast.dns.zone.CompiledZones;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Type;

/** Answering allocates nothing, whichever way a query takes. */
class AllocationTest {

    private static final int ROUNDS = 20_000;

    private final World world = new World()
            .pool("web", World.backend("192.0.2.1"), World.backend("192.0.2.2"), World.backend("192.0.2.3"))
            .zone(
                    "example.com",
                    World.service("app", "web"),
                    World.service("*.wild", "web"),
                    World.service("drawn", "web", Routing.WEIGHTED, 2),
                    World.service("first", "web", Routing.FAILOVER, 1));

    private final List<byte[]> queries = List.of(
            Messages.query("app.example.com", Type.A).toWire(),
            Messages.query("app.example.com", Type.A, new OPTRecord(1232, 0, 0)).toWire(),
            Messages.query("app.example.com", Type.AAAA).toWire(),
            Messages.query("a.b.c.wild.example.com", Type.A).toWire(),
            Messages.query("drawn.example.com", Type.A).toWire(),
            Messages.query("first.example.com", Type.A).toWire(),
            Messages.query("nope.example.com", Type.A).toWire(),
            Messages.query("example.com", Type.SOA).toWire(),
            Messages.query("example.org", Type.A).toWire(),
            Messages.query("app.example.com", Type.A, new OPTRecord(1232, 0, 1)).toWire(),
            new byte[30],
            new byte[3]);

    private final Client client = new Client();

    @Test
    void answeringAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        CompiledZones zones = CompiledZones.start(world.dns(), world.topology());
        Answerer answerer = new Answerer(zones.published(), new DnsStats(1).shard(0), new SplittableRandom(1));
        byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
        long sum = answerAll(answerer, out, ROUNDS);

        long before = threads.getCurrentThreadAllocatedBytes();
        long measured = threads.getCurrentThreadAllocatedBytes();
        long ofMeasuring = measured - before;
        sum += answerAll(answerer, out, ROUNDS);
        long allocated = threads.getCurrentThreadAllocatedBytes() - measured - ofMeasuring;

        assertThat(sum).isPositive();
        // Less than a byte for a hundred queries: what is left belongs to the JVM, not to any query.
        assertThat(allocated).isLessThan(ROUNDS * queries.size() / 100);
    }

    private long answerAll(Answerer answerer, byte[] out, int rounds) {
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < queries.size(); i++) {
                byte[] query = queries.get(i);
                sum += answerer.answer(query, query.length, client, out, Transport.UDP);
            }
        }
        return sum;
    }
}
