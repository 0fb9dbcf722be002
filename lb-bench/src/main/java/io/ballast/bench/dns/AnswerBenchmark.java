package io.ballast.bench.dns;

import io.ballast.dns.answer.Answerer;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.wire.Wire;
import io.ballast.dns.zone.CompiledZones;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Answers a query, from the bytes of the query to the bytes of the response, without sockets. The queries ask
 * for the A records of all names of a zone in random order; each answer has 4 records. Run with {@code -prof
 * gc}; {@code gc.alloc.rate.norm} must be 0 B/op.
 *
 * <pre>java -jar lb-bench/target/benchmarks.jar AnswerBenchmark -prof gc</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class AnswerBenchmark {

    @Param({"1", "1000", "100000"})
    public int names;

    @Param({"ROUND_ROBIN", "WEIGHTED", "RANDOM", "HASH"})
    public Routing routing = Routing.ROUND_ROBIN;

    private final Client client = new Client();
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
    private byte[][] queries = {};

    @SuppressWarnings("NullAway.Init") // assigned in @Setup
    private Answerer answerer;

    private int next;

    /**
     * Compiles a zone with {@code names} services over one pool, and encodes a query for each service, in random
     * order.
     */
    @Setup
    public void compile() {
        CompiledZones zones = ServiceZone.compile(names, routing);
        answerer = new Answerer(zones.published(), new DnsStats(1).shard(0), new SplittableRandom(1));
        client.set(/* bytes= */ 4, /* sourcePort= */ 5353);
        SplittableRandom random = new SplittableRandom(2);
        queries = new byte[names][];
        for (int i = 0; i < names; i++) {
            queries[i] = ServiceZone.query("n" + random.nextInt(names));
        }
    }

    @Benchmark
    public int answer() {
        byte[] query = queries[next];
        next = next + 1 == queries.length ? 0 : next + 1;
        return answerer.answer(query, query.length, client, out, Transport.UDP);
    }
}
